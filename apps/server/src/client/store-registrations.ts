import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { ConfigError } from '../start-error.ts';
import { listClientsOf, upsertClient } from './client.repository.ts';
import type { ClientSwitch } from './client-switch.ts';
import { type PlannedRegistration, planRegistration } from './plan-registration.ts';
import type { Registration } from './registration.ts';
import type { SecretHashes } from './secret-hashes.ts';

/**
 * Compares registrations with what is stored.
 * @throws ConfigError naming what is wrong with which client.
 */
export const planRegistrations = async (
  db: Kysely<Database>,
  registrations: readonly Registration[],
  hashes: SecretHashes,
): Promise<PlannedRegistration[]> => {
  const ids = registrations.map(({ id }) => id);
  const rows = new Map((await listClientsOf(db, ids)).map((row) => [row.id, row]));
  const planned = registrations.map((registration) =>
    planRegistration(registration, rows.get(registration.id), hashes),
  );
  const problems = planned.flatMap((plan) => plan.problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return planned;
};

/** Which clients a transaction changed. */
export interface StoredRegistrations {
  /** Ids of clients whose registration is new or another. */
  applied: string[];
  switched: { id: string; disabled: boolean }[];
}

/** Stores planned registrations, in the transaction of the caller. */
export const storeRegistrations = async (
  trx: Kysely<Database>,
  planned: readonly PlannedRegistration[],
  clientSwitch: ClientSwitch,
): Promise<StoredRegistrations> => {
  const stored: StoredRegistrations = { applied: [], switched: [] };
  // In one order, so that processes that apply at once wait for each other instead of locking up.
  const ordered = planned.toSorted((a, b) => (a.next.id < b.next.id ? -1 : 1));
  for (const { next, disabled } of ordered) {
    const { id } = next;
    if (await upsertClient(trx, next)) stored.applied.push(id);
    if (disabled === undefined) continue;
    if ((await clientSwitch.set(trx, id, disabled)) === 'switched') stored.switched.push({ id, disabled });
  }
  return stored;
};
