import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import type { Identifier } from '../../ground/identifier/identifier.ts';
import {
  insertAccounts,
  insertIdentifiers,
  listAccountIds,
  listIdentifierOwners,
} from '../../person/account/account-bulk.repository.ts';
import { insertPasswords } from '../../person/credential/password.repository.ts';
import type { ImportRow } from './import-row.ts';

export type ImportOutcome = 'imported' | 'unchanged' | 'id_taken' | 'identifier_taken';

const ATTEMPTS = 5;

/** Somebody registered an identifier of the batch after the batch had looked for it. */
class Overtaken extends Error {}

const keyOf = ({ kind, value }: Pick<Identifier, 'kind' | 'value'>) => `${kind} ${value}`;

/** Judges rows in their order: the first row with an identifier or an id takes it, within a batch too. */
const judge = (
  rows: readonly ImportRow[],
  { owners, ids }: { owners: Map<string, string>; ids: Set<string> },
): ImportOutcome[] =>
  rows.map((row) => {
    const owning = row.identifiers.map((identifier) => owners.get(keyOf(identifier)));
    const known = row.knownIds.find((id) => ids.has(id));
    if (known !== undefined) return !row.isNamed || owning.includes(known) ? 'unchanged' : 'id_taken';
    if (owning.some((owner) => owner !== undefined)) return 'identifier_taken';
    ids.add(row.id);
    for (const identifier of row.identifiers) owners.set(keyOf(identifier), row.id);
    return 'imported';
  });

const insertRows = async (db: Kysely<Database>, rows: readonly ImportRow[], now: Date) => {
  const accounts = rows.map(({ id, nickname, locale }) => ({
    id,
    nickname,
    locale,
    status: 'active' as const,
    created_at: now,
    updated_at: now,
  }));
  // Every caller inserts in the same order, since inserting locks: two imports must not lock each other up.
  const identifiers = rows
    .flatMap(({ id, identifiers: own }) =>
      own.map(({ kind, value, display }) => ({ kind, value, display, account_id: id, verified_at: now })),
    )
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const passwords = rows.flatMap(({ id, hash }) =>
    hash === undefined ? [] : [{ account_id: id, hash, changed_at: now }],
  );
  if ((await insertAccounts(db, accounts)) !== accounts.length) throw new Overtaken();
  if ((await insertIdentifiers(db, identifiers)) !== identifiers.length) throw new Overtaken();
  if (passwords.length > 0) await insertPasswords(db, passwords);
};

/** Stores a batch in one transaction and answers what became of each row. An existing account stays unchanged. */
export const importBatch = async (
  db: Kysely<Database>,
  rows: readonly ImportRow[],
  now: Date,
): Promise<ImportOutcome[]> => {
  const attempt = () =>
    inTransaction(db, async (trx) => {
      const owned = await listIdentifierOwners(
        trx,
        rows.flatMap(({ identifiers }) => identifiers.map(({ kind, value }) => ({ kind, value }))),
      );
      const owners = new Map(owned.map((row) => [keyOf(row), row.account_id]));
      const known = rows.flatMap(({ knownIds }) => knownIds);
      const outcomes = judge(rows, { owners, ids: new Set(await listAccountIds(trx, known)) });
      const fresh = rows.filter((_, index) => outcomes[index] === 'imported');
      if (fresh.length > 0) await insertRows(trx, fresh, now);
      return outcomes;
    });

  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Overtaken) || count === ATTEMPTS) throw error;
    }
  }
};
