import type { ClientSource } from '@candela/contract';
import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import { ofBrand } from '../brand/of-brand.ts';
import { type ChangeAwareCacheOptions, createChangeAwareCache } from '../db/change-aware-cache.ts';
import type { Database } from '../db/database.ts';
import type { EventSink } from '../event/events.ts';
import type { EntryChange } from '../settings-file/entry-change.ts';
import { findClient, listClients } from './client.repository.ts';
import type { ClientRow } from './client.table.ts';
import { CLIENT_ID, ClientEntries } from './client-entry.ts';
import type { ClientSwitch } from './client-switch.ts';
import { toRegistration } from './registration.ts';
import { createSecretHashes, type SecretHashes, type SecretHashesOptions } from './secret-hashes.ts';
import { planRegistrations, storeRegistrations } from './store-registrations.ts';

/** A registered client. `metadata` has the names of RFC 7591; its `client_secret` is a keyed hash. */
export interface Client {
  id: string;
  /** undefined: every brand has the client. */
  brand: string | undefined;
  metadata: Record<string, unknown> & { client_id: string };
  firstParty: boolean;
  source: ClientSource;
  /** The name of its logo, if the server holds one. */
  logo?: string;
}

export interface ClientServiceOptions extends SecretHashesOptions {
  db: Kysely<Database>;
  clientSwitch: ClientSwitch;
  changes?: ChangeAwareCacheOptions<Client | undefined>['changes'];
  /** Hears what was applied, disabled and enabled. */
  events?: EventSink;
}

export interface ClientService extends Pick<SecretHashes, 'secretMatches'> {
  /** The client of that id, if the brand has it and it is not disabled. */
  findClient(id: string, brand: string): Promise<Client | undefined>;

  listClients(): Promise<ClientRow[]>;

  /**
   * Disables or enables a client; false where no client has the id. A disabled client is unknown to everyone, and
   * what it was given ends, on every process within a second. Nothing of it comes back when the client is enabled.
   */
  setDisabled(id: string, disabled: boolean): Promise<boolean>;

  /**
   * Registers or updates clients by id, all of them or none. An entry without `disabled` leaves that as it was.
   * Answers what became of each entry, in their order; with `dryRun` what would become of it.
   * @throws z.core.$ZodError when an entry is not of the form.
   * @throws ConfigError naming what else is wrong with which client.
   */
  applyClients(entries: unknown, options?: { dryRun?: boolean }): Promise<EntryChange[]>;
}

const loadClient = async (db: Kysely<Database>, id: string): Promise<Client | undefined> => {
  const row = await findClient(db, id);
  if (!row || row.disabled) return undefined;
  return {
    id: row.id,
    brand: row.brand ?? undefined,
    metadata: { ...row.metadata, client_id: row.id },
    firstParty: row.first_party,
    source: row.source,
    ...(row.logo && { logo: row.logo }),
  };
};

export const createClientService = (options: ClientServiceOptions): ClientService => {
  const { db, clientSwitch, changes, events } = options;
  const hashes = createSecretHashes(options);
  const cache = createChangeAwareCache({ table: 'client', changes, load: (id) => loadClient(db, id) });

  const emitSwitched = (clientId: string, disabled: boolean) =>
    events?.emit(disabled ? 'client.disabled' : 'client.enabled', { clientId });

  return {
    findClient: async (id, brand) => (CLIENT_ID.test(id) ? ofBrand(await cache.get(id), brand) : undefined),

    listClients: () => listClients(db),

    secretMatches: hashes.secretMatches,

    setDisabled: async (id, disabled) => {
      const outcome = await db.transaction().execute((trx) => clientSwitch.set(trx, id, disabled));
      cache.forget(id);
      if (outcome === 'switched') emitSwitched(id, disabled);
      if (disabled) await clientSwitch.endRest(db, id);
      return outcome !== 'none';
    },

    applyClients: async (entries, { dryRun = false } = {}) => {
      const registrations = z.parse(ClientEntries, entries).map(toRegistration);
      if (dryRun) return (await planRegistrations(db, registrations, hashes)).map(({ change }) => change);
      const { planned, applied, switched } = await db.transaction().execute(async (trx) => {
        const planned = await planRegistrations(trx, registrations, hashes);
        return { planned, ...(await storeRegistrations(trx, planned, clientSwitch)) };
      });
      for (const { next } of planned) cache.forget(next.id);
      for (const clientId of applied) events?.emit('client.applied', { clientId });
      for (const { id, disabled } of switched) emitSwitched(id, disabled);
      for (const { next, disabled } of planned) if (disabled) await clientSwitch.endRest(db, next.id);
      return planned.map(({ change }) => change);
    },
  };
};
