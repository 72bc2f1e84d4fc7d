import type { Kysely } from 'kysely';
import type Provider from 'oidc-provider';
import type { ClientProfile } from '../../../clients/client/client.service.ts';
import type { RequestFacts } from '../../../ground/browser/request-facts.ts';
import type { Database } from '../../../ground/db/database.ts';
import type { EngineClient } from '../client/client-policy.ts';
import { saveApproval } from '../request/save-approval.ts';
import { flush } from '../storage/flush.ts';
import { createUnitOfWork, runInUnit } from '../storage/unit.ts';

/** How the tokens of a link came to be, in the engine's words. */
const GRANT_ORIGIN = 'jwt_bearer';

export interface NewLink {
  provider: Provider;
  /** The id of the brand. */
  brand: string;
  registered: ClientProfile;
  engine: EngineClient;
  accountId: string;
  scopes: readonly string[];
  facts: RequestFacts;
}

/** A successful token response (RFC 6749 section 5.1). */
export interface LinkTokens {
  token_type: string;
  access_token: string;
  refresh_token: string;
  expires_in: number;
  scope: string;
}

/** Writes what `work` saves, in the transaction. Undefined where another request ended what it builds on. */
const inUnit = async <T>(
  trx: Kysely<Database>,
  facts: RequestFacts,
  work: () => Promise<T>,
): Promise<T | undefined> => {
  const unit = createUnitOfWork(() => facts);
  const result = await runInUnit(unit, work);
  return (await flush(trx, unit)) === 'committed' ? result : undefined;
};

/**
 * Saves an approval, then the tokens that make it a link, in the transaction of the caller. They are two units: the
 * statement of the tokens changes the grant, which it has to see.
 * @returns undefined where nothing may be written; the caller then undoes the transaction.
 */
export const issueLink = async (
  trx: Kysely<Database>,
  { provider, brand, registered, engine, accountId, scopes, facts }: NewLink,
): Promise<LinkTokens | undefined> => {
  const asked = { scopes, claims: [], resources: [] };
  const approved = new Set([...scopes, 'offline_access']);
  const approval = { brand, accountId, client: registered, asked, approved };
  const grantId = await inUnit(trx, facts, () => saveApproval(provider, approval));
  if (grantId === undefined) return undefined;
  const scope = scopes.join(' ');
  const token = { client: engine, accountId, grantId, gty: GRANT_ORIGIN, scope };
  return inUnit(trx, facts, async () => {
    const accessToken = new provider.AccessToken(token);
    return {
      token_type: 'Bearer',
      access_token: await accessToken.save(),
      refresh_token: await new provider.RefreshToken(token).save(),
      expires_in: accessToken.expiration,
      scope,
    };
  });
};
