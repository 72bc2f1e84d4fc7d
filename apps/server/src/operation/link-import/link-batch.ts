import type { Kysely } from 'kysely';
import { shareClients } from '../../clients/client/client.repository.ts';
import type { ResourceServer } from '../../clients/resource-server/resource-server.service.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import {
  insertMovedGrants,
  insertMovedRefreshTokens,
  insertMovedTokens,
  type KnownToken,
  listKnownTokens,
  type MovedLink,
} from '../../link/moved-link/moved-link.repository.ts';
import { holdAccounts, listIdentifierOwners } from '../../person/account/account-bulk.repository.ts';
import type { LineOutcome } from '../line-import/import-lines.ts';
import {
  judgeLink,
  type LinkContext,
  type LinkOwner,
  type LinkRefusal,
  placeLink,
  tokenKey,
} from './judge-link.ts';
import type { LinkRow } from './link-row.ts';

export type LinkOutcome = LineOutcome<LinkRefusal>;

export interface LinkBatchOptions {
  db: Kysely<Database>;
  /** The ids of all brands. */
  brands: readonly string[];
  /** The APIs of each brand. */
  apis: ReadonlyMap<string, readonly ResourceServer[]>;
  now: Date;
}

/** Finds the account of each line, and holds it. Lines that name no account are left out. */
const findOwners = async (
  db: Kysely<Database>,
  rows: readonly LinkRow[],
): Promise<Map<LinkRow, LinkOwner>> => {
  const identifiers = rows.flatMap(({ account }) => ('id' in account ? [] : [account]));
  const owners = new Map(
    (await listIdentifierOwners(db, identifiers)).map((owned) => [
      `${owned.kind} ${owned.value}`,
      owned.account_id,
    ]),
  );
  const idOf = ({ account }: LinkRow) =>
    'id' in account ? account.id : owners.get(`${account.kind} ${account.value}`);
  const ids = new Set(rows.map(idOf).filter((id) => id !== undefined));
  const held = new Map((await holdAccounts(db, [...ids])).map((account) => [account.id, account]));
  return new Map(
    rows.flatMap((row): [LinkRow, LinkOwner][] => {
      const owner = held.get(idOf(row) ?? '');
      return owner ? [[row, owner]] : [];
    }),
  );
};

/** Judges rows in their order: the first line with a token takes it, within a batch too. */
const judge = async (
  db: Kysely<Database>,
  rows: readonly LinkRow[],
  owners: ReadonlyMap<LinkRow, LinkOwner>,
  context: LinkContext,
): Promise<(MovedLink | 'unchanged' | LinkRefusal)[]> => {
  const placed = rows.map((row) => ({ row, place: placeLink(row, context) }));
  const asked = placed.flatMap(({ row: { idHash }, place }) =>
    typeof place === 'string' ? [] : [{ brand: place.brand, idHash }],
  );
  const known = new Map<string, KnownToken>(
    (await listKnownTokens(db, asked)).map((token) => [tokenKey(token), token]),
  );
  return placed.map(({ row, place }) => {
    if (typeof place === 'string') return place;
    const owner = owners.get(row);
    if (!owner) return 'account_unknown';
    const key = tokenKey({ brand: place.brand, idHash: row.idHash });
    const judged = judgeLink(row, { ...place, owner }, known.get(key), context);
    if (typeof judged !== 'string') known.set(key, judged);
    return judged;
  });
};

const insertLinks = async (db: Kysely<Database>, links: readonly MovedLink[]): Promise<void> => {
  const tokens = links.map(({ brand, idHash }) => ({ brand, idHash }));
  const noted = new Set(await insertMovedTokens(db, tokens));
  // What is missing, another import took over since this one looked.
  const fresh = links.filter(({ idHash }) => noted.has(idHash));
  if (fresh.length === 0) return;
  await insertMovedGrants(db, fresh);
  await insertMovedRefreshTokens(db, fresh);
};

/** Stores a batch of links in one transaction and answers what became of each row. */
export const importLinkBatch = async (
  { db, brands, apis, now }: LinkBatchOptions,
  rows: readonly LinkRow[],
): Promise<LinkOutcome[]> =>
  inTransaction(db, async (trx) => {
    const owners = await findOwners(trx, rows);
    const clients = await shareClients(trx, [...new Set(rows.map(({ clientId }) => clientId))]);
    const judged = await judge(trx, rows, owners, {
      brands,
      clients: new Map(clients.map((client) => [client.id, client])),
      apis,
      now: Math.floor(now.getTime() / 1_000),
    });
    const links = judged.filter((outcome) => typeof outcome !== 'string');
    if (links.length > 0) await insertLinks(trx, links);
    return judged.map((outcome) => (typeof outcome === 'string' ? outcome : 'imported'));
  });
