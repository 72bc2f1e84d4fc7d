import type { Authorization } from '@candela/contract';
import type { Kysely } from 'kysely';
import { refreshLifetimesOf } from '../../clients/client/policy-metadata.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { requireRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';
import { parseName } from '../../person/account/nickname.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import { lockOwnAccount } from '../../person/session/lock-own-account.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import { insertSignalsOfNarrowed } from '../../person/signal/signal.repository.ts';
import { deleteWaitingValues } from '../../person/signal/waiting-value.repository.ts';
import { type DescriptionOptions, optionalFor, toAuthorization } from './authorization.ts';
import type { AuthorizationGrantRow } from './grant.table.ts';
import { findGrant, lockGrant, renewGrant, updateLabel, updateScope } from './grant-change.repository.ts';
import { narrow } from './narrowing.ts';
import { forgetScopes } from './remembered-consent.repository.ts';

const HOUR = 3_600;
const LABEL_LENGTH = 60;

export interface GrantChangeOptions extends DescriptionOptions {
  db: Kysely<Database>;
  events: EventSink;
  now: () => Date;
}

/** What people change of their authorizations; they withdraw them by `EndingService`. */
export interface GrantChangeService {
  /**
   * Names an authorization, as typed; null takes the name away.
   * @throws AppError label_invalid, rate_limited; not_found for another account's exactly as for one that does not exist
   */
  name(by: CurrentSession, id: string, label: string | null): Promise<Authorization>;
  /**
   * Takes scopes away from an authorization, and from all tokens of it that are opaque. The same call again changes
   * nothing.
   * @param kept all that stays, by name or key
   * @throws AppError scope_required, scope_not_approved, not_signed_in; not_found as above
   */
  narrow(by: CurrentSession, id: string, kept: readonly string[]): Promise<Authorization>;
  /**
   * Lets a link with an absolute end last for a full term from now.
   * @throws AppError link_has_no_end, not_signed_in; not_found as above
   */
  renew(by: CurrentSession, id: string): Promise<Authorization>;
}

/** @throws AppError label_invalid */
const requireLabel = (typed: string): string => {
  const label = parseName(typed, LABEL_LENGTH);
  if (label === undefined) throw new AppError('label_invalid', { fields: { label: 'label_invalid' } });
  return label;
};

/** The lifetimes of a link with an absolute end, by its client. @throws AppError not_found, link_has_no_end */
const requireTerm = async ({ db, clients }: GrantChangeOptions, accountId: string, id: string) => {
  const grant = await findGrant(db, accountId, id);
  if (!grant) throw new AppError('not_found');
  const client = await clients.findClient(grant.client_id, grant.brand);
  const { idleSeconds, termSeconds } = refreshLifetimesOf(client?.metadata ?? {});
  if (!grant.has_refresh_token || termSeconds === undefined) throw new AppError('link_has_no_end');
  return { idleSeconds, termSeconds };
};

/** The names of what the person can take away, by the client. @throws AppError not_found */
const requireOptional = async ({ db, clients }: GrantChangeOptions, accountId: string, id: string) => {
  const grant = await findGrant(db, accountId, id);
  if (!grant) throw new AppError('not_found');
  return optionalFor(await clients.findClient(grant.client_id, grant.brand));
};

interface Narrowing {
  id: string;
  kept: ReadonlySet<string>;
  optional: ReadonlySet<string>;
}

/** What is approved for the client without a question is forgotten too: the app asks again for what it lost. */
const narrowIn = async (
  trx: Kysely<Database>,
  by: CurrentSession,
  { id, kept, optional }: Narrowing,
): Promise<{ grant: AuthorizationGrantRow; changed: boolean }> => {
  const { accountId } = by;
  await lockOwnAccount(trx, by);
  const grant = await lockGrant(trx, accountId, id);
  if (!grant) throw new AppError('not_found');
  const { scope, payload, taken } = narrow(grant, kept, optional);
  if (taken.length === 0) return { grant, changed: false };
  const { brand, client_id: clientId } = grant;
  await noteActivity(trx, { accountId, kind: 'approval_narrowed', session: by, brand, clientId });
  const narrowed = await updateScope(trx, { brand, id, scope, payload });
  await forgetScopes(trx, { brand, accountId, clientId }, taken);
  await deleteWaitingValues(trx, [narrowed]);
  if (grant.has_refresh_token) await insertSignalsOfNarrowed(trx, narrowed, grant.scope);
  return { grant: narrowed, changed: true };
};

const renewIn = async (
  trx: Kysely<Database>,
  by: CurrentSession,
  { id, ...lifetimes }: { id: string; idleSeconds: number; termSeconds: number },
): Promise<AuthorizationGrantRow> => {
  const { accountId } = by;
  await lockOwnAccount(trx, by);
  const grant = await lockGrant(trx, accountId, id);
  if (!grant) throw new AppError('not_found');
  const { brand, client_id: clientId } = grant;
  await noteActivity(trx, { accountId, kind: 'approval_renewed', session: by, brand, clientId });
  return renewGrant(trx, { brand, id, ...lifetimes });
};

export const createGrantChangeService = (options: GrantChangeOptions): GrantChangeService => {
  const { db, events, now } = options;
  return {
    name: async ({ accountId }, id, typed) => {
      const label = typed === null ? null : requireLabel(typed);
      const limit = { key: `link.name.hour ${accountId}`, limit: 60, windowSeconds: HOUR };
      await requireRateLimits(db, [limit], now(), events);
      const named = await updateLabel(db, { accountId, id, label });
      if (!named) throw new AppError('not_found');
      return toAuthorization(options, named);
    },

    narrow: async (by, id, scopes) => {
      const { accountId } = by;
      const optional = await requireOptional(options, accountId, id);
      const narrowing = { id, kept: new Set(scopes), optional };
      const { grant, changed } = await inTransaction(db, (trx) => narrowIn(trx, by, narrowing));
      const { client_id: clientId, brand } = grant;
      if (changed) events.emit('authorization.narrowed', { accountId, clientId, brand });
      return toAuthorization(options, grant);
    },

    renew: async (by, id) => {
      const { accountId } = by;
      // Before the transaction: an embedded database has one connection, and a look-up of the client needs it.
      const lifetimes = await requireTerm(options, accountId, id);
      const renewed = await inTransaction(db, (trx) => renewIn(trx, by, { id, ...lifetimes }));
      events.emit('authorization.renewed', { accountId, clientId: renewed.client_id, brand: renewed.brand });
      return toAuthorization(options, renewed);
    },
  };
};
