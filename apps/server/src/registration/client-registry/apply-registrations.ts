import type { Kysely } from 'kysely';
import type { Actor } from '../../clients/client/actor.ts';
import {
  insertClient,
  listClientsOf,
  lockClient,
  lockClients,
  updateClient,
  updateClientSource,
} from '../../clients/client/client.repository.ts';
import type { ClientRow } from '../../clients/client/client.table.ts';
import { insertClientChange } from '../../clients/client/client-change.repository.ts';
import {
  deleteSecrets,
  listSecretsOf,
  REGISTERED,
  upsertSecret,
} from '../../clients/client/client-secret.repository.ts';
import {
  type PlannedRegistration,
  planRegistration,
  type StoredRegistration,
} from '../../clients/client/plan-registration.ts';
import { hasSecret, type Registration } from '../../clients/client/registration.ts';
import type { SecretHashes } from '../../clients/client/secret-hashes.ts';
import type { Database } from '../../ground/db/database.ts';
import { ConfigError } from '../../ground/start-error.ts';
import { endAllOfClient, switchClient } from '../../link/ending/client-ending.ts';
import { deleteWaitingValuesOfClient } from '../../person/signal/waiting-value.repository.ts';
import { approvalBy, isOperator, requireOperator, requireRole, sourceOf } from './access.ts';

type Stored = ReadonlyMap<string, StoredRegistration>;

const withSecrets = async (db: Kysely<Database>, rows: readonly ClientRow[]): Promise<Stored> => {
  const ids = rows.map(({ id }) => id);
  const secrets = Map.groupBy(await listSecretsOf(db, ids), (secret) => secret.client_id);
  return new Map(
    rows.map((row) => {
      const held = secrets.get(row.id) ?? [];
      const registered = held.find(({ name }) => name === REGISTERED)?.hash;
      const others = held.filter(({ name }) => name !== REGISTERED);
      return [row.id, { row, registered, others }];
    }),
  );
};

const planAll = (registrations: readonly Registration[], stored: Stored, hashes: SecretHashes) => {
  const planned = registrations.map((registration) =>
    planRegistration(registration, stored.get(registration.id), hashes),
  );
  const problems = planned.flatMap((plan) => plan.problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return planned;
};

/**
 * Compares registrations with what is stored.
 * @throws ConfigError naming what is wrong with which client.
 */
export const planRegistrations = async (
  db: Kysely<Database>,
  registrations: readonly Registration[],
  hashes: SecretHashes,
): Promise<PlannedRegistration[]> => {
  const rows = await listClientsOf(
    db,
    registrations.map(({ id }) => id),
  );
  return planAll(registrations, await withSecrets(db, rows), hashes);
};

interface Application {
  actor: Actor;
  registrations: readonly Registration[];
  hashes: SecretHashes;
}

export interface Applied {
  plan: PlannedRegistration;
  outcome: 'created' | 'updated' | 'unchanged';
  /** The new state of a client that was disabled or enabled. */
  switched: boolean | undefined;
}

const storeSecrets = async (
  trx: Kysely<Database>,
  { next: { id, metadata }, registered }: PlannedRegistration,
  held: string | undefined,
): Promise<void> => {
  if (!hasSecret(metadata)) await deleteSecrets(trx, id);
  else if (registered !== undefined && registered !== held)
    await upsertSecret(trx, { clientId: id, name: REGISTERED, hash: registered });
};

const newClient = (actor: Actor, { next }: PlannedRegistration) => ({
  ...next,
  source: sourceOf(actor),
  approvedFingerprint: approvalBy(actor, next),
});

/** Stores what the plan of one client changes; its row, if there is one, is locked. */
const store = async (
  trx: Kysely<Database>,
  {
    actor,
    plan,
    stored,
  }: { actor: Actor; plan: PlannedRegistration; stored: StoredRegistration | undefined },
): Promise<Applied> => {
  const { next, disabled } = plan;
  const { id } = next;
  const changes = plan.change.changes.filter(({ field }) => field !== 'disabled');
  const outcome = !stored ? 'created' : changes.length > 0 ? 'updated' : 'unchanged';
  if (stored)
    requireOperator(
      actor,
      stored.row,
      changes.map(({ field }) => field),
    );
  const approvedFingerprint = approvalBy(actor, next);
  const isApproved =
    approvedFingerprint !== undefined && approvedFingerprint !== stored?.row.approved_fingerprint;
  if (outcome === 'updated' || (stored && isApproved))
    await updateClient(trx, { ...next, approvedFingerprint });
  if (changes.some(({ field }) => field === 'scope')) await deleteWaitingValuesOfClient(trx, id);
  // An operator who writes an entry for a client that described itself takes it over: its document counts no more.
  const isTakenOver = stored?.row.source === 'document' && isOperator(actor);
  if (isTakenOver) await updateClientSource(trx, id, sourceOf(actor));
  // What an earlier client of that id left is not this one's.
  if (outcome === 'created') await endAllOfClient(trx, id, 'client_deleted');
  if (outcome !== 'unchanged') {
    await storeSecrets(trx, plan, stored?.registered);
    await insertClientChange(trx, { clientId: id, actor, action: outcome, changes });
  }
  const isSwitched = disabled !== undefined && (await switchClient(trx, id, disabled)) === 'switched';
  if (isSwitched)
    await insertClientChange(trx, { clientId: id, actor, action: disabled ? 'disabled' : 'enabled' });
  return { plan, outcome, switched: isSwitched ? disabled : undefined };
};

/**
 * Stores registrations in the transaction of the caller, all of them or none.
 * @throws ConfigError naming what is wrong with which client.
 */
export const storeRegistrations = async (
  trx: Kysely<Database>,
  { actor, registrations, hashes }: Application,
): Promise<Applied[]> => {
  // In one order, so that processes that apply at once wait for each other instead of locking up.
  const ordered = registrations.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const rows = await lockClients(
    trx,
    ordered.map(({ id }) => id),
  );
  for (const row of rows) await requireRole(trx, actor, row);
  const stored = await withSecrets(trx, rows);
  planAll(registrations, stored, hashes);
  const applied = new Map<string, Applied>();
  for (const registration of ordered) {
    const { id } = registration;
    let before = stored.get(id);
    let plan = planRegistration(registration, before, hashes);
    if (!before && !(await insertClient(trx, newClient(actor, plan)))) {
      // Another process inserted it meanwhile.
      const row = await lockClient(trx, id);
      await requireRole(trx, actor, row);
      before = row && (await withSecrets(trx, [row])).get(id);
      const [again] = planAll([registration], new Map(before && [[id, before]]), hashes);
      plan = again ?? plan;
    }
    applied.set(id, await store(trx, { actor, plan, stored: before }));
  }
  return registrations.flatMap(({ id }) => applied.get(id) ?? []);
};
