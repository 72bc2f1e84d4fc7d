import type { ClientSource } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Actor, Developer } from '../../clients/client/actor.ts';
import type { ClientRow } from '../../clients/client/client.table.ts';
import { clientFingerprint } from '../../clients/client/client-fingerprint.ts';
import { findRole } from '../../clients/client/client-member.repository.ts';
import type { ClientMemberRow } from '../../clients/client/client-member.table.ts';
import { faultAt } from '../../clients/client/fault.ts';
import type { Holder } from '../../clients/client/holder.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import { refuse } from './refusal.ts';

const sources = {
  operator: 'operator',
  file: 'file',
  account: 'console',
  machine: 'machine',
  registration: 'dynamic',
  document: 'document',
} as const satisfies Record<Actor['kind'], ClientSource>;

/** How a client is known that the actor makes. */
export const sourceOf = ({ kind }: Actor): ClientSource => sources[kind];

/** Whether an actor sees its own clients alone, and has to name what it deletes. */
export const isDeveloper = ({ kind }: Actor): boolean => kind === 'account' || kind === 'machine';

/** Whether an actor may set everything. */
export const isOperator = ({ kind }: Pick<Actor, 'kind'>): boolean => kind === 'operator' || kind === 'file';

/**
 * What is approved of a client that the actor writes: its fingerprint, where an operator makes it the brand’s own; null
 * where it is not; undefined where who is no operator leaves that as it is.
 */
export const approvalBy = (
  actor: Actor,
  { metadata, firstParty }: { metadata: Readonly<Record<string, unknown>>; firstParty: boolean },
): string | null | undefined =>
  isOperator(actor) ? (firstParty ? clientFingerprint(metadata) : null) : undefined;

/** What developers may change of the brand’s own clients: neither people nor tokens depend on it. */
const developersOwn: ReadonlySet<string> = new Set(['contacts']);

/**
 * What an operator vouched for stays what it was: who is none changes nothing that people or tokens depend on of a
 * client of the brand.
 * @throws AppError operator_required, with `fields`; its cause is a RefusedRegistration.
 */
export const requireOperator = (
  actor: Actor,
  { first_party: isOfBrand }: Pick<ClientRow, 'first_party'>,
  fields: readonly string[],
): void => {
  if (!isOfBrand || isOperator(actor)) return;
  const kept = fields.filter((field) => !developersOwn.has(field));
  if (kept.length === 0) return;
  refuse(
    kept.map((field) =>
      faultAt(field, 'operator_required', 'is changed by an operator only: the app is the brand’s own'),
    ),
  );
};

/**
 * A client that was disabled does not look after its registration (RFC 7592 section 2).
 * @throws AppError disabled_by_operator
 */
export const requireInUse = (actor: Actor, { disabled }: Pick<ClientRow, 'disabled'>): void => {
  if (disabled && actor.kind === 'registration') throw new AppError('disabled_by_operator');
};

/** The account in the event of a change. */
export const accountOf = (actor: Actor) => (actor.kind === 'account' ? { accountId: actor.id } : {});

/** @throws AppError owner_required */
export const requireOwner = (role: ClientMemberRow['role']): void => {
  if (role !== 'owner') throw new AppError('owner_required');
};

/** Whose clients a developer sees. */
export const ownHolderOf = ({ kind, id }: Developer): Holder =>
  kind === 'account' ? { accountId: id } : { machineId: id };

/** Whose clients the actor sees: its own, or all. */
export const holderOf = (actor: Actor): Holder | undefined =>
  actor.kind === 'account' || actor.kind === 'machine' ? ownHolderOf(actor) : undefined;

/**
 * What the actor is to a client.
 * @throws AppError not_found where it is nothing to it, or there is no client.
 */
export const requireRole = async (
  db: Kysely<Database>,
  actor: Actor,
  row: ClientRow | undefined,
): Promise<ClientMemberRow['role']> => {
  if (!row) throw new AppError('not_found');
  if (actor.kind === 'account') {
    const role = await findRole(db, row.id, actor.id);
    if (!role) throw new AppError('not_found');
    return role;
  }
  if (actor.kind === 'machine' && row.made_by !== actor.id) throw new AppError('not_found');
  // Whoever holds the token of a registration, or writes a document, has proven to own that client alone.
  const ofSource = actor.kind === 'registration' || actor.kind === 'document';
  if (ofSource && row.source !== sourceOf(actor)) throw new AppError('not_found');
  return 'owner';
};
