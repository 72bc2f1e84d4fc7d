import type { AddedInSession } from '@candela/contract';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { databaseTime } from '../../ground/db/sql-time.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventName } from '../../ground/event/event-names.ts';
import type { EventSink } from '../../ground/event/events.ts';
import type { IdentifierKind } from '../../ground/identifier/identifier.ts';
import { type AccountRecord, listAccounts, lockAccount } from '../../person/account/account.repository.ts';
import { type Bound, boundSince, settledSince } from '../../person/account/bound-since.ts';
import { additionRows } from '../../person/addition/addition.repository.ts';
import type { AdditionRow } from '../../person/addition/addition.table.ts';
import type { Delivery } from '../../person/delivery/message-queue.ts';
import { identifierChangeRows } from '../../person/identifier-change/identifier-change.repository.ts';
import type { IdentifierChangeRow } from '../../person/identifier-change/identifier-change.table.ts';
import { listPasskeys } from '../../person/passkey/passkey.repository.ts';
import { type TakingBack, type TakingBackOptions, takeBackAddition } from './addition-undo.ts';
import { undoChange } from './change-undo.ts';

/** A session of an account, which may have ended. */
export interface OwnSession {
  accountId: string;
  uid: string;
}

/** Something that a session added and that can be taken back by who holds what counts since `since`, or longer. */
type Added = { since: Date } & ({ addition: AdditionRow } | { change: IdentifierChangeRow });

/** What an account holds, and held before the session took it. */
const contactsOf = ({ identifiers }: AccountRecord, changes: readonly IdentifierChangeRow[]): Bound[] => [
  ...identifiers,
  ...changes.flatMap(({ done_at, value, bound_at }) => (done_at ? [{ value, verified_at: bound_at }] : [])),
];

/** What a session added, changes of contacts first: the newest of them is undone first. */
const readAdded = async (
  db: Kysely<Database>,
  { accountId, uid }: OwnSession,
  at: Date,
): Promise<{ record: AccountRecord | undefined; contacts: Bound[]; added: Added[] }> => {
  const [record] = await listAccounts(db, [accountId]);
  const ofSession = { account_id: accountId, session_uid: uid };
  const changes = await identifierChangeRows.list(db, { ...ofSession, given_up_in: null }, databaseTime);
  const additions = await additionRows.list(db, ofSession, at);
  const contacts = record ? contactsOf(record, changes) : [];
  const added = [
    ...changes.map((change) => ({ change, since: change.bound_at })),
    ...additions.map((addition) => ({ addition, since: settledSince(contacts, addition.added_at) })),
  ];
  return { record, contacts, added };
};

/**
 * Who takes back: the contact that a link went to, who has proven what counts since `provenSince`, or a session, which can
 * prove what its account holds. Nobody takes back by what is younger.
 */
export type Taker = { sentTo: string | null } | { provenSince: Date } | 'session';

const agesOf = (
  taker: Taker,
  { record, contacts }: { record: AccountRecord | undefined; contacts: Bound[] },
) => {
  if (taker === 'session') return record?.identifiers.map(boundSince) ?? [];
  if ('provenSince' in taker) return [taker.provenSince];
  return contacts.filter(({ value }) => value === taker.sentTo).map(boundSince);
};

const byTaker = (taker: Taker, read: Awaited<ReturnType<typeof readAdded>>): Added[] => {
  const ages = agesOf(taker, read);
  return read.added.filter(({ since }) => ages.some((age) => age <= since));
};

const describe = async (db: Kysely<Database>, one: Added, record: AccountRecord): Promise<AddedInSession> => {
  if ('change' in one) {
    const { kind, value, new_value, requested_at } = one.change;
    return {
      kind,
      at: requested_at.toISOString(),
      ...(new_value !== null && { name: maskIdentifier(new_value) }),
      replaces: maskIdentifier(value),
    };
  }
  const { kind, passkey_id, account_id, added_at } = one.addition;
  const own = passkey_id
    ? (await listPasskeys(db, account_id)).find(({ id }) => id === passkey_id)
    : undefined;
  const contact = record.identifiers.find((row) => row.kind === kind)?.value;
  const name = own?.name ?? (contact && maskIdentifier(contact));
  return { kind, at: added_at.toISOString(), ...(name !== undefined && { name }) };
};

/**
 * What a session added and `taker` can take back; `since` is the age that it takes, undefined where there is nothing.
 */
export const listAddedIn = async (
  db: Kysely<Database>,
  session: OwnSession,
  { taker, at }: { taker: Taker; at: Date },
): Promise<{ items: AddedInSession[]; since: Date | undefined }> => {
  const read = await readAdded(db, session, at);
  const { record } = read;
  const added = byTaker(taker, read);
  const items = record ? await Promise.all(added.map((one) => describe(db, one, record))) : [];
  const [since] = added.map((one) => one.since).sort((a, b) => a.getTime() - b.getTime());
  return { items, since };
};

type Happened = { event: EventName; kind?: IdentifierKind };

/** How much was taken back, what to emit, and the notices to start after the commit. */
export interface TakenBack {
  taken: number;
  notices: Delivery[];
  happened: Happened[];
}

export const nothingTaken: TakenBack = { taken: 0, notices: [], happened: [] };

/** Emits events and sends notices, after the commit. */
export const announceTaken = async (
  events: EventSink,
  accountId: string,
  { notices, happened }: TakenBack,
): Promise<void> => {
  for (const { event, ...about } of happened) events.emit(event, { accountId, ...about });
  await Promise.all(notices.map((notice) => notice.start()));
};

/** An identifier that has gone elsewhere meanwhile holds up nothing else. */
const unlessRefused = async <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });

const takeOne = async (
  trx: Kysely<Database>,
  options: TakingBackOptions,
  { one, record, by }: { one: Added; record: AccountRecord; by: TakingBack },
): Promise<{ notices: Delivery[]; happened: Happened[] } | undefined> => {
  if ('change' in one) {
    const undone = await unlessRefused(
      undoChange(trx, options, record, { ...by, undoHash: one.change.undo_hash }),
    );
    const happened = { event: 'identifier.change_undone', kind: one.change.kind } as const;
    return undone && { notices: undone.notices, happened: [happened] };
  }
  const { undo_hash: undoHash, kind } = one.addition;
  const taken = await takeBackAddition(trx, options, record, { ...by, undoHash });
  const event = taken?.event;
  const named = kind === 'phone' || kind === 'email' ? { kind } : {};
  return taken && { notices: taken.notices, happened: event ? [{ event, ...named }] : [] };
};

/**
 * Takes back what a session added, as the links of the notices do, in a transaction that has locked the account. Sessions
 * and the password are the caller's.
 */
export const takeBackAddedIn = async (
  trx: Kysely<Database>,
  options: TakingBackOptions,
  session: OwnSession,
  { taker, ...by }: TakingBack & { taker: Taker },
): Promise<TakenBack> => {
  const added = byTaker(taker, await readAdded(trx, session, by.at));
  const all: { notices: Delivery[]; happened: Happened[] }[] = [];
  for (const one of added) {
    // Anew: what was taken back before has changed it.
    const record = await lockAccount(trx, session.accountId);
    const taken = record && (await takeOne(trx, options, { one, record, by }));
    if (taken) all.push(taken);
  }
  return {
    taken: all.length,
    notices: all.flatMap(({ notices }) => notices),
    happened: all.flatMap(({ happened }) => happened),
  };
};
