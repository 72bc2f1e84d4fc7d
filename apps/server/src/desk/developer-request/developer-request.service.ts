import type { DeskDeveloperRequest, DeveloperAccess } from '@candela/contract';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import type { Kysely } from 'kysely';
import { findDeveloper } from '../../clients/developer/developer.repository.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { listAccounts } from '../../person/account/account.repository.ts';
import { hasStaff } from '../staff/staff.repository.ts';
import { developerRequestRows, listWaitingRequests, upsertRequest } from './developer-request.repository.ts';
import type { DeveloperRequestRow } from './developer-request.table.ts';

export interface DeveloperRequestOptions {
  db: Kysely<Database>;
  events: EventSink;
  now: () => Date;
}

/** What people ask who want to register clients. */
export interface DeveloperRequestService {
  /** Whether the account may register clients, asked to, or can ask. */
  accessOf(accountId: string): Promise<DeveloperAccess>;
  /**
   * Puts the account in the queue of the desk; what it asked before is written anew.
   * @throws AppError not_found without a desk, rate_limited for 30 days after a refusal
   */
  ask(accountId: string, why: string): Promise<DeveloperAccess>;
  /** Who waits, the oldest first; at most 100. */
  list(): Promise<DeskDeveloperRequest[]>;
}

const MOST = 100;

const toAccess = (row: DeveloperRequestRow): Omit<DeveloperAccess, 'canAsk'> => ({
  state: row.state,
  askedAt: row.created_at.toISOString(),
  ...(row.state === 'refused' && { until: row.expires_at.toISOString() }),
});

export const createDeveloperRequestService = (options: DeveloperRequestOptions): DeveloperRequestService => {
  const { db, events, now } = options;

  const accessOf: DeveloperRequestService['accessOf'] = async (accountId) => {
    const [developer, row, canAsk] = await Promise.all([
      findDeveloper(db, accountId),
      developerRequestRows.find(db, { account_id: accountId }, now()),
      hasStaff(db),
    ]);
    if (developer) return { state: 'allowed', canAsk: false };
    return row ? { ...toAccess(row), canAsk: false } : { state: 'none', canAsk };
  };

  return {
    accessOf,

    ask: async (accountId, why) => {
      const { state, canAsk, until } = await accessOf(accountId);
      if (state === 'allowed') return { state, canAsk };
      if (state === 'none' && !canAsk) throw new AppError('not_found');
      const at = now();
      const row = await upsertRequest(db, { accountId, why }, at);
      if (!row)
        throw new AppError('rate_limited', {
          retryAfterSeconds: until ? Math.ceil((Date.parse(until) - at.getTime()) / 1_000) : 60,
        });
      if (state === 'none') events.emit('developer.asked', { accountId });
      return { ...toAccess(row), canAsk: false };
    },

    list: async () => {
      const rows = await listWaitingRequests(db, now(), MOST);
      const records = await listAccounts(
        db,
        rows.map((row) => row.account_id),
      );
      const byId = new Map(records.map((record) => [record.account.id, record]));
      return rows.map((row) => {
        const { account, identifiers = [] } = byId.get(row.account_id) ?? {};
        return {
          account: { id: row.account_id, nickname: account?.nickname ?? '' },
          identifiers: identifiers.map(({ value }) => maskIdentifier(value)),
          why: row.why,
          askedAt: row.created_at.toISOString(),
        };
      });
    },
  };
};
