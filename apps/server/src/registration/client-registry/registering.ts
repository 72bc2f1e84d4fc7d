import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Actor } from '../../clients/client/actor.ts';
import { countHeldClients, insertClient, updateClient } from '../../clients/client/client.repository.ts';
import { insertClientChange } from '../../clients/client/client-change.repository.ts';
import { clientFingerprint } from '../../clients/client/client-fingerprint.ts';
import { insertMember, lockHolder } from '../../clients/client/client-member.repository.ts';
import { deleteSecrets, insertSecret, REGISTERED } from '../../clients/client/client-secret.repository.ts';
import { faultAt } from '../../clients/client/fault.ts';
import { fieldsOf } from '../../clients/client/plan-registration.ts';
import { hasSecret, type Registration } from '../../clients/client/registration.ts';
import { createSecret } from '../../clients/client/secret-rules.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import { compareFields } from '../../ground/settings-file/entry-change.ts';
import { endAllOfClient } from '../../link/ending/client-ending.ts';
import { deleteWaitingValuesOfClient } from '../../person/signal/waiting-value.repository.ts';
import {
  accountOf,
  approvalBy,
  holderOf,
  isOperator,
  requireInUse,
  requireOperator,
  sourceOf,
} from './access.ts';
import { completeFields, patchFields, toFields } from './client-draft.ts';
import type { ClientRegistry, RegistrationTerms } from './client-registry.ts';
import { findFaults, findReservedFields, type JudgedBy } from './client-rules.ts';
import { refuse } from './refusal.ts';
import type { RegistryDesk } from './registry-desk.ts';

/** How many clients an account owns, and a machine makes. */
const MOST_CLIENTS = { account: 50, machine: 1_000 } as const;

const requireRoom = async (trx: Kysely<Database>, actor: Actor): Promise<void> => {
  const holder = holderOf(actor);
  if (!holder || (actor.kind !== 'account' && actor.kind !== 'machine')) return;
  await lockHolder(trx, holder);
  if ((await countHeldClients(trx, holder)) >= MOST_CLIENTS[actor.kind])
    throw new AppError('clients_exhausted');
};

/** 128 random bits in 22 characters. It begins with no dash, which a command would take for an option. */
const createClientId = () => randomBytes(16).toString('base64url').replace(/^-/, '_');

const valuesOf = (actor: Actor, { id, brand, metadata, firstParty }: Registration) => ({
  id,
  brand: brand ?? null,
  metadata,
  firstParty,
  approvedFingerprint: approvalBy(actor, { metadata, firstParty }),
});

/** @throws what `refuse` throws, where something is wrong with a registration. */
const judge = (
  actor: Actor,
  registration: Registration,
  { terms, ...by }: JudgedBy & { terms: Partial<RegistrationTerms> | undefined },
): void => {
  const faults = [
    ...(terms?.findFaults?.(registration.metadata) ?? []),
    ...findFaults(actor, registration, by),
  ];
  if (faults.length > 0) refuse(faults);
};

interface Creation {
  actor: Actor;
  registration: Registration;
  owner: string | undefined;
  secretHash: string;
}

const store = async (
  trx: Kysely<Database>,
  { actor, registration, owner, secretHash }: Creation,
): Promise<void> => {
  await requireRoom(trx, actor);
  const values = valuesOf(actor, registration);
  const { id: clientId } = values;
  const madeBy = actor.kind === 'machine' ? actor.id : undefined;
  if (!(await insertClient(trx, { ...values, source: sourceOf(actor), madeBy })))
    refuse([faultAt('client_id', 'value_invalid', `"${clientId}" is taken`)]);
  // What an earlier client of that id left is not this one's.
  await endAllOfClient(trx, clientId, 'client_deleted');
  if (hasSecret(values.metadata)) await insertSecret(trx, { clientId, name: REGISTERED, hash: secretHash });
  if (owner !== undefined) await insertMember(trx, { clientId, accountId: owner, role: 'owner' });
  await insertClientChange(trx, { clientId, actor, action: 'created' });
};

/** A machine of one brand registers clients of it. */
const placeOf = (actor: Actor) =>
  actor.kind === 'machine' && actor.brand !== undefined ? { brand: actor.brand } : {};

/** Registers clients. */
export const createCreating = (desk: RegistryDesk): Pick<ClientRegistry, 'create'> => {
  const { db, clients, hashes, events, rules, get, surroundingsOf } = desk;
  return {
    create: async (actor, draft, terms) => {
      const reserved = findReservedFields(actor, { ...draft }, 'create');
      if (reserved.length > 0) refuse(reserved);
      const secret = createSecret();
      const registration = completeFields(
        { client_id: createClientId(), ...placeOf(actor), ...toFields({ ...draft }) },
        secret,
        rules,
      );
      const { id, metadata } = registration;
      judge(actor, registration, { rules, surroundings: await surroundingsOf(id), terms });
      const owner = actor.kind === 'account' ? actor.id : draft.owner;
      const secretHash = hashes.hashOf(secret);
      await inTransaction(db, async (trx) => {
        await store(trx, { actor, registration, owner, secretHash });
        await terms?.alongside?.(trx, id);
      });
      clients.forget(id);
      events?.emit('client.created', { clientId: id, ...accountOf(actor) });
      return { client: await get(actor, id), ...(hasSecret(metadata) && { secret }) };
    },
  };
};

/** The brand vouches for an app under its name and at its hosts: another name or host is not vouched for. */
const withoutVerification = (before: Record<string, unknown>, registration: Registration): Registration => {
  const { verified, ...metadata } = registration.metadata;
  const isSame = clientFingerprint(before) === clientFingerprint(metadata);
  return verified === undefined || isSame ? registration : { ...registration, metadata };
};

/** Changes the metadata of clients. */
export const createUpdating = (desk: RegistryDesk): Pick<ClientRegistry, 'update'> => {
  const { events, rules, change, get, surroundingsOf } = desk;
  return {
    update: async (actor, id, patch, terms) => {
      const reserved = findReservedFields(actor, { ...patch }, 'update');
      if (reserved.length > 0) refuse(reserved);
      const fields = toFields({ ...patch });
      const surroundings = await surroundingsOf(id);
      const isChanged = await change(actor, id, async (trx, row) => {
        requireInUse(actor, row);
        const before = fieldsOf({ ...row, firstParty: row.first_party });
        const patched = completeFields(
          { ...patchFields(before, fields), client_id: id },
          createSecret(),
          rules,
        );
        const registration = isOperator(actor) ? patched : withoutVerification(before, patched);
        const values = valuesOf(actor, registration);
        const changes = compareFields(before, fieldsOf(values));
        const changed = new Set(changes.map(({ field }) => field));
        requireOperator(actor, row, [...changed]);
        judge(actor, registration, { rules, surroundings, terms, changed, before });
        if (changes.length === 0) return false;
        await updateClient(trx, values);
        if (changed.has('scope')) await deleteWaitingValuesOfClient(trx, id);
        const removed = hasSecret(values.metadata) ? [] : await deleteSecrets(trx, id);
        changes.push(...removed.map((name) => ({ field: 'client_secret', note: name })));
        await insertClientChange(trx, { clientId: id, actor, action: 'updated', changes });
        return true;
      });
      if (isChanged) events?.emit('client.applied', { clientId: id, ...accountOf(actor) });
      return get(actor, id);
    },
  };
};
