import type { Locale, UndoDetails } from '@candela/contract';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import type { Kysely } from 'kysely';
import type { ProviderDirectory } from '../../federation/directory/provider-directory.ts';
import {
  insertRevocations,
  takeRevocation,
} from '../../federation/revocation/identity-revocation.repository.ts';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventName } from '../../ground/event/event-names.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { end } from '../../link/ending/end.ts';
import { ends } from '../../link/ending/what-ends-what.ts';
import {
  type AccountRecord,
  listAccounts,
  lockAccount,
  updateAccountTime,
} from '../../person/account/account.repository.ts';
import type { AccountIdentifierRow } from '../../person/account/account.table.ts';
import { boundSince } from '../../person/account/bound-since.ts';
import { contactDetail } from '../../person/activity/contact-detail.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import { additionRows } from '../../person/addition/addition.repository.ts';
import type { AdditionRow } from '../../person/addition/addition.table.ts';
import { closePassword } from '../../person/credential/close-password.ts';
import type { MessageBrand } from '../../person/delivery/code-message.ts';
import type { Delivery, MessageQueue } from '../../person/delivery/message-queue.ts';
import type { Notice } from '../../person/delivery/notice-message.ts';
import { addNotices } from '../../person/delivery/notices.ts';
import {
  deleteFederatedIdentity,
  insertFederatedIdentity,
} from '../../person/federated-identity/federated-identity.repository.ts';
import { toFederatedIdentity } from '../../person/federated-identity/kept-identity.ts';
import { deletePasskey, listPasskeys } from '../../person/passkey/passkey.repository.ts';
import { removeFactor } from '../../person/second-factor/factor-removal.ts';
import { deleteRecoveryCodes } from '../../person/second-factor/recovery-code.repository.ts';
import { credentialChange, identifierChanged, passkeyChange, type Told } from '../../person/signal/told.ts';
import { loseIdentifier } from './identifier-loss.ts';

export interface TakingBackOptions {
  directory: Pick<ProviderDirectory, 'nameOf'>;
  messages: Pick<MessageQueue, 'add'>;
  events: EventSink;
  now: () => Date;
}

export interface AdditionUndoOptions extends TakingBackOptions {
  db: Kysely<Database>;
}

type NamedBrand = MessageBrand & { id: string };

/** When, where and from which browser something is taken back. */
export interface TakingBack {
  at: Date;
  brand: NamedBrand;
  facts?: RequestFacts | undefined;
}

const oldestOf = ({ identifiers }: AccountRecord) =>
  identifiers.toSorted((a, b) => boundSince(a).getTime() - boundSince(b).getTime())[0];

/** What a link takes back; undefined for no link of this kind. */
export const lookAtAddition = async (
  { db, now }: AdditionUndoOptions,
  token: string,
): Promise<UndoDetails | undefined> => {
  const found = await additionRows.find(db, { undo_hash: hashToken(token) }, now());
  const [record] = await listAccounts(db, found ? [found.account_id] : []);
  return (
    found && {
      kind: found.kind,
      identifier: maskIdentifier((record && oldestOf(record)?.value) ?? ''),
      waits: false,
      requestedAt: found.added_at.toISOString(),
      endsAt: found.expires_at.toISOString(),
    }
  );
};

/** What was taken back: the name of a passkey, or a contact; and what is told of it. */
interface Taken {
  tells: readonly Told[];
  name?: string | undefined;
  /** The id of an identity provider. */
  provider?: string;
  contact?: AccountIdentifierRow;
}

/** Unbinds a contact that is still the one which was added, and not the last. */
const takeContact = async (
  trx: Kysely<Database>,
  { kind, added_at }: AdditionRow,
  { identifiers }: AccountRecord,
): Promise<Taken | undefined> => {
  const contact = identifiers.find((one) => one.kind === kind);
  if (contact?.verified_at.getTime() !== added_at.getTime() || identifiers.length === 1) return undefined;
  await loseIdentifier(trx, contact);
  return { contact, tells: [identifierChanged({ kind: contact.kind })] };
};

/** How each kind is taken back, in a transaction that has locked the account; undefined where it is gone. */
const takeBack = {
  totp: async (trx, { account_id }) =>
    (await removeFactor(trx, account_id)) ? { tells: [credentialChange('app', 'delete')] } : undefined,
  recovery_codes: async (trx, { account_id }) => {
    await deleteRecoveryCodes(trx, account_id);
    return { tells: [] };
  },
  passkey: async (trx, { account_id, passkey_id }) => {
    const own = (await listPasskeys(trx, account_id)).find(({ id }) => id === passkey_id);
    if (!own) return undefined;
    await deletePasskey(trx, { id: own.id, account_id });
    return { name: own.name, tells: [passkeyChange(own, 'delete')] };
  },
  provider: async (trx, { account_id, identity_id }) => {
    const gone = identity_id && (await deleteFederatedIdentity(trx, { id: identity_id, account_id }));
    if (!gone) return undefined;
    await insertRevocations(trx, [gone]);
    return { provider: gone.provider, tells: [] };
  },
  provider_removed: async (trx, { removed }, _, at) => {
    // Whoever had the link may be whom it kept out: it opens nothing until the account is proven.
    const token = removed && (await takeRevocation(trx, removed));
    const row = removed && { ...toFederatedIdentity(removed, token), closed_at: at };
    return row && (await insertFederatedIdentity(trx, row))
      ? { provider: row.provider, tells: [] }
      : undefined;
  },
  phone: takeContact,
  email: takeContact,
} satisfies Record<
  AdditionRow['kind'],
  (trx: Kysely<Database>, row: AdditionRow, record: AccountRecord, at: Date) => Promise<Taken | undefined>
>;

/** What the activity, the notice and the log call it. */
const said = {
  totp: { activity: 'totp_removed', notice: 'totp_removed', event: 'second_factor.removed' },
  recovery_codes: { activity: 'disputed', notice: 'recovery_codes_undone', event: undefined },
  passkey: { activity: 'passkey_removed', notice: 'passkey_removed', event: 'passkey.removed' },
  provider: { activity: 'provider_unlinked', notice: 'provider_unlinked', event: 'provider.unlinked' },
  provider_removed: { activity: 'provider_linked', notice: 'provider_restored', event: 'provider.linked' },
  phone: { activity: 'identifier_removed', notice: 'phone_unbound', event: 'identifier.removed' },
  email: { activity: 'identifier_removed', notice: 'email_unbound', event: 'identifier.removed' },
} as const;

const noticeOf = (
  { kind }: AdditionRow,
  { contact, name = '' }: Taken,
  told: { at: Date; locale: Locale; brand: NamedBrand },
): Notice => {
  if (kind === 'provider' || kind === 'provider_removed')
    return { ...told, notice: said[kind].notice, provider: name };
  if (kind === 'phone' || kind === 'email')
    return { ...told, notice: said[kind].notice, contact: contact ?? { kind, value: '' } };
  return { ...told, notice: said[kind].notice };
};

/**
 * Takes back one thing that was added, in a transaction that has locked the account; sessions and the password are the
 * caller's. Undefined where the link was used, or is over with what it would take back.
 */
export const takeBackAddition = async (
  trx: Kysely<Database>,
  { messages, directory }: TakingBackOptions,
  record: AccountRecord,
  { undoHash, at, brand, facts }: TakingBack & { undoHash: string },
): Promise<{ notices: Delivery[]; event: EventName | undefined } | undefined> => {
  const row = await additionRows.take(trx, { undo_hash: undoHash }, at);
  const found: Taken | undefined = row && (await takeBack[row.kind](trx, row, record, at));
  if (!row || !found) return undefined;
  const { account, identifiers } = record;
  const { provider } = found;
  const taken = provider ? { ...found, name: directory.nameOf(brand, provider, account.locale) } : found;
  const { activity, event } = said[row.kind];
  const { name, contact, tells } = taken;
  if (contact) await updateAccountTime(trx, account.id, at);
  const detail = contact ? contactDetail(contact) : name === undefined ? undefined : { name };
  await noteActivity(trx, { accountId: account.id, kind: activity, brand: brand.id, facts, detail, tells });
  const notice = noticeOf(row, taken, { at, locale: account.locale, brand });
  return { notices: await addNotices(trx, messages, identifiers, notice), event };
};

/**
 * Ends what somebody else may have opened, and closes the password: they may know it. Answers how many sessions ended.
 * @param identifiers those of the account, whose codes and tickets end
 */
export const closeAccount = async (
  trx: Kysely<Database>,
  accountId: string,
  identifiers: readonly string[],
): Promise<number> => {
  await closePassword(trx, accountId);
  const { sessions } = await end(trx, ends.changeUndone, { accountId, identifiers });
  return sessions.length;
};

/**
 * Takes back what was added, ends all sessions, lets all browsers forget the account and closes its password. Answers the
 * oldest contact of the account, as its owner typed it, or undefined for no link of this kind. The link works once.
 */
export const undoAddition = async (
  options: AdditionUndoOptions,
  token: string,
  { brand, facts }: { brand: NamedBrand; facts: RequestFacts | undefined },
): Promise<{ identifier: string } | undefined> => {
  const { db, events, now } = options;
  const [undoHash, at] = [hashToken(token), now()];
  const found = await additionRows.find(db, { undo_hash: undoHash }, at);
  if (!found) return undefined;
  const { account_id: accountId } = found;
  const { record, event, notices, ended } = await inTransaction(db, async (trx) => {
    const locked = await lockAccount(trx, accountId);
    const taken = locked && (await takeBackAddition(trx, options, locked, { undoHash, at, brand, facts }));
    if (!taken) throw new AppError('not_found');
    const values = locked.identifiers.map(({ value }) => value);
    return { ...taken, record: locked, ended: await closeAccount(trx, accountId, values) };
  });
  if (event) events.emit(event, { accountId, brand: brand.id });
  if (ended > 0) events.emit('sessions.ended', { accountId, count: ended });
  await Promise.all(notices.map((notice) => notice.start()));
  return { identifier: oldestOf(record)?.display ?? '' };
};
