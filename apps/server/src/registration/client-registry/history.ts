import type { ClientChange } from '@candela/contract';
import type { Actor } from '../../clients/client/actor.ts';
import { listClientsOf } from '../../clients/client/client.repository.ts';
import { listClientChanges } from '../../clients/client/client-change.repository.ts';
import type { ClientChangeRow } from '../../clients/client/client-change.table.ts';
import { AppError } from '../../ground/errors.ts';
import { isOperator } from './access.ts';
import type { ClientRegistry } from './client-registry.ts';
import type { RegistryDesk } from './registry-desk.ts';

const PAGE_SIZE = 50;

/** @throws AppError invalid_request for what no page answered as its `next`. */
const readPlace = (after: string | undefined): number | undefined => {
  if (after === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(after)) return Number(after);
  throw new AppError('invalid_request', { fields: { after: 'invalid_request' } });
};

/** Reads who changed what. */
export const createHistory = ({ db, developers, roleOf }: RegistryDesk): Pick<ClientRegistry, 'history'> => {
  /** The nicknames of accounts and the names of machines, by id. */
  const namesOf = async (rows: readonly ClientChangeRow[]): Promise<ReadonlyMap<string, string>> => {
    const idsOf = (kind: Actor['kind']) => [
      ...new Set(rows.flatMap((row) => (row.actor_kind === kind && row.actor_id ? row.actor_id : []))),
    ];
    const accounts = await developers.describe([...idsOf('account'), ...membersOf(rows)]);
    const machines = await listClientsOf(db, idsOf('machine'));
    return new Map([
      ...accounts.map(({ id, nickname }) => [`account ${id}`, nickname] as const),
      ...machines.map(({ id, metadata }) => [`machine ${id}`, String(metadata.client_name ?? id)] as const),
    ]);
  };

  return {
    history: async (actor, id, { after } = {}) => {
      // An operator reads the history of a client that was deleted too.
      const seesAll = isOperator(actor);
      if (!seesAll) await roleOf(actor, id);
      const place = { limit: PAGE_SIZE + 1, before: readPlace(after) };
      const rows = await listClientChanges(db, id, place);
      if (seesAll && rows.length === 0 && after === undefined) await roleOf(actor, id);
      const page = rows.slice(0, PAGE_SIZE);
      const names = await namesOf(page);
      const last = page.at(-1);
      return {
        items: page.map((row) => toChange(row, actor, names)),
        ...(rows.length > PAGE_SIZE && last && { next: String(last.id) }),
      };
    },
  };
};

const isMembership = ({ action }: ClientChangeRow) =>
  action === 'member_added' || action === 'member_removed';

const membersOf = (rows: readonly ClientChangeRow[]): string[] =>
  rows.filter(isMembership).flatMap(({ changes }) => changes.flatMap(({ note }) => note ?? []));

const toChange = (row: ClientChangeRow, actor: Actor, names: ReadonlyMap<string, string>): ClientChange => {
  const { actor_kind: kind, actor_id: actorId } = row;
  const name = kind === 'registration' ? actorId : names.get(`${kind} ${actorId}`);
  const changes = isMembership(row)
    ? row.changes.map(({ field, note = '' }) => ({ field, note: names.get(`account ${note}`) ?? '' }))
    : row.changes;
  return {
    id: String(row.id),
    at: row.at.toISOString(),
    by: { kind, ...(name && { name }), you: actor.kind === kind && 'id' in actor && actor.id === actorId },
    action: row.action,
    changes,
  };
};
