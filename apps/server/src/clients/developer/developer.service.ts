import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { parseIdentifier } from '../../ground/identifier/identifier.ts';
import {
  type AccountRecord,
  findAccountByIdentifier,
  listAccounts,
} from '../../person/account/account.repository.ts';
import { deleteDeveloper, findDeveloper, insertDeveloper, listDevelopers } from './developer.repository.ts';

/** An account that may register clients. */
interface Developer {
  /** The id of the account. */
  id: string;
  nickname: string;
  /** The identifiers of the account as it is shown them, in the order in which they were verified. */
  identifiers: string[];
}

interface AllowedDeveloper extends Developer {
  allowedAt: Date;
}

export interface DeveloperService {
  /**
   * Allows an account, found by an identifier as typed, to register clients; `changed` is false where it was allowed.
   * @throws AppError identifier_blank, identifier_invalid, phone_invalid, email_invalid, account_not_found
   */
  allow(identifier: string): Promise<AllowedDeveloper & { changed: boolean }>;
  /**
   * Takes that back. The account stays a member of its clients, and sees them again once it is allowed anew.
   * @throws AppError as `allow`, developer_unknown for an account that is not allowed
   */
  revoke(identifier: string): Promise<Developer>;
  /** The allowed accounts, the newest first; at most 1,000. */
  list(): Promise<AllowedDeveloper[]>;
  isDeveloper(accountId: string): Promise<boolean>;
  /**
   * An allowed developer, by an identifier as typed.
   * @throws AppError as `parseIdentifier`, developer_unknown for everybody else
   */
  find(identifier: string): Promise<Developer>;
  /** The accounts of these ids, allowed or not. */
  describe(ids: readonly string[]): Promise<Developer[]>;
}

export interface DeveloperServiceOptions {
  db: Kysely<Database>;
  events?: EventSink | undefined;
}

const MOST = 1_000;

const toDeveloper = ({ account, identifiers }: AccountRecord): Developer => ({
  id: account.id,
  nickname: account.nickname,
  identifiers: identifiers.map(({ display }) => display),
});

export const createDeveloperService = ({ db, events }: DeveloperServiceOptions): DeveloperService => {
  const describe = async (ids: readonly string[]) => (await listAccounts(db, ids)).map(toDeveloper);

  const requireAccount = async (identifier: string): Promise<Developer> => {
    const account = await findAccountByIdentifier(db, parseIdentifier(identifier));
    const [developer] = account ? await describe([account.id]) : [];
    if (!developer) throw new AppError('account_not_found');
    return developer;
  };

  return {
    allow: async (identifier) => {
      const developer = await requireAccount(identifier);
      const changed = await insertDeveloper(db, developer.id);
      if (changed) events?.emit('developer.allowed', { accountId: developer.id });
      const row = await findDeveloper(db, developer.id);
      if (!row) throw new AppError('developer_unknown');
      return { ...developer, allowedAt: row.allowed_at, changed };
    },

    revoke: async (identifier) => {
      const developer = await requireAccount(identifier);
      if (!(await deleteDeveloper(db, developer.id))) throw new AppError('developer_unknown');
      events?.emit('developer.revoked', { accountId: developer.id });
      return developer;
    },

    list: async () => {
      const rows = await listDevelopers(db, MOST);
      const known = await describe(rows.map((row) => row.account_id));
      const byId = new Map(known.map((developer) => [developer.id, developer]));
      return rows.flatMap(({ account_id: id, allowed_at: allowedAt }) => {
        const developer = byId.get(id);
        return developer ? [{ ...developer, allowedAt }] : [];
      });
    },

    isDeveloper: async (accountId) => (await findDeveloper(db, accountId)) !== undefined,

    find: async (identifier) => {
      const account = await findAccountByIdentifier(db, parseIdentifier(identifier));
      if (!account || !(await findDeveloper(db, account.id)))
        throw new AppError('developer_unknown', { fields: { identifier: 'developer_unknown' } });
      const [developer] = await describe([account.id]);
      if (!developer) throw new AppError('developer_unknown');
      return developer;
    },

    describe,
  };
};
