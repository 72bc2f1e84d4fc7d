import type { Approve } from '@candela/contract';
import type { Kysely } from 'kysely';
import type Provider from 'oidc-provider';
import type { ClientService } from '../../../clients/client/client.service.ts';
import type { OwnApiPlace, TokenRefusal } from '../../../clients/resource-server/own-api.ts';
import type { RequestFacts } from '../../../ground/browser/request-facts.ts';
import type { Database } from '../../../ground/db/database.ts';
import { AppError } from '../../../ground/errors.ts';
import type { EventSink } from '../../../ground/event/events.ts';
import { requireRateLimits } from '../../../ground/rate-limit/rate-limit.service.ts';
import { policyOf } from '../client/client-policy.ts';
import { flush } from '../storage/flush.ts';
import { row } from '../storage/row.ts';
import { createUnitOfWork, runInUnit } from '../storage/unit.ts';
import { lockGrantForIssue } from '../token/jwt-issue.repository.ts';
import { requireApprovingAccount } from './native-approval.repository.ts';
import { type NativeRequest, settleNativeRequest } from './native-request.ts';
import { type OwnAppToken, readOwnAppToken } from './own-app-token.ts';
import { saveApproval } from './save-approval.ts';

const HOUR_SECONDS = 3600;

/** How many approvals of one account apps may make in an hour: a person links a few platforms, and tries again. */
const APPROVALS_PER_HOUR = 30;

export interface NativeApprovalOptions {
  db: Kysely<Database>;
  /** The engine of a brand, by its id. */
  providers: ReadonlyMap<string, { provider: Provider }>;
  clients: ClientService;
  events: EventSink;
  now(): Date;
}

/** The request of an app: at which brand, and from where. */
interface AppCall {
  brand: OwnApiPlace;
  facts: RequestFacts;
}

/** Approvals of clients by the person of an app of the brand's own, without a browser. */
export interface NativeApprovals {
  /** The person of an access token. @throws AppError account_disabled, deletion_pending */
  judge(token: string, call: AppCall): Promise<OwnAppToken | TokenRefusal>;
  /**
   * Approves a client for the person, as the consent page does.
   * @returns the authorization code (RFC 6749 section 4.1.2)
   * @throws AppError rate_limited, approval_not_taken, redirect_uri_unknown, scope_unknown, invalid_request;
   * not_signed_in where the account or the approval of the app ended meanwhile, or the password changed since that
   * approval.
   */
  approve(asked: Approve, token: OwnAppToken, call: AppCall): Promise<string>;
}

const issueCode = (
  provider: Provider,
  { engine, scopes }: NativeRequest,
  {
    asked: { redirect_uri: redirectUri, code_challenge: codeChallenge },
    token: { accountId, signIn },
    grantId,
  }: { asked: Approve; token: OwnAppToken; grantId: string },
): Promise<string> =>
  new provider.AuthorizationCode({
    client: engine,
    accountId,
    grantId,
    gty: 'authorization_code',
    redirectUri,
    scope: scopes.join(' '),
    ...(codeChallenge !== undefined && { codeChallenge, codeChallengeMethod: 'S256' }),
    ...signIn,
    ...(engine.requireAuthTime && { claims: { id_token: { auth_time: { essential: true } } } }),
  }).save();

export const createNativeApprovals = (options: NativeApprovalOptions): NativeApprovals => {
  const { db, providers, clients, events, now } = options;

  const providerOf = ({ id }: OwnApiPlace): Provider => {
    const found = providers.get(id);
    if (!found) throw new Error(`no provider for ${id}`);
    return found.provider;
  };

  return {
    judge: (token, { brand, facts }) =>
      // Never flushed: it keeps the account that the statement of the token brings along.
      runInUnit(
        createUnitOfWork(() => facts),
        () => readOwnAppToken(token, { provider: providerOf(brand), brand, clients }),
      ),

    approve: async (asked, token, { brand: place, facts }) => {
      const { accountId, grantId: appGrant } = token;
      const key = `native_approvals ${accountId}`;
      const limit = { key, limit: APPROVALS_PER_HOUR, windowSeconds: HOUR_SECONDS };
      await requireRateLimits(db, [limit], now(), events);
      const [provider, brand] = [providerOf(place), place.id];
      const request = await settleNativeRequest(asked, token, { provider, brand, clients });
      const { registered: client, engine, scopes } = request;
      const stays = policyOf(engine).issuesRefreshToken ? ['offline_access'] : [];
      const approved = new Set([...scopes, ...stays]);

      const unit = createUnitOfWork(() => facts);
      const code = await runInUnit(unit, async () => {
        unit.require(row.account(accountId), requireApprovingAccount, { accountId, brand, appGrant });
        unit.spend(row.grant(appGrant, 'existence'), lockGrantForIssue, { brand, id: appGrant });
        const nothingElse = { claims: [], resources: [] };
        const approval = { brand, accountId, client, asked: { scopes, ...nothingElse }, approved };
        const grantId = await saveApproval(provider, approval);
        return issueCode(provider, request, { asked, token, grantId });
      });
      if ((await flush(db, unit)) !== 'committed') throw new AppError('not_signed_in');
      events.emit('consent.given', { accountId, brand, clientId: client.id, detail: token.app.id });
      return code;
    },
  };
};
