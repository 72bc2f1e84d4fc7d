import { createHmac, hash, randomBytes } from 'node:crypto';
import type { ClientSummary } from '@candela/contract';
import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import { ofBrand } from '../brand/of-brand.ts';
import type { Database } from '../db/database.ts';
import { createToldCache, type ToldCacheOptions } from '../db/told-cache.ts';
import type { EventSink } from '../event/events.ts';
import { logoPath } from '../picture/picture-path.ts';
import { deriveKey } from '../seal.ts';
import type { EntryChange } from '../settings-file/entry-change.ts';
import { ConfigError } from '../start-error.ts';
import { findClient, listClients, listClientsOf, upsertClient } from './client.repository.ts';
import { CLIENT_ID, ClientEntries } from './client-entry.ts';
import type { ClientSwitch } from './client-switch.ts';
import { planRegistration } from './plan-registration.ts';
import { toRegistration } from './registration.ts';

/** A registered client. `metadata` has the names of RFC 7591; its `client_secret` is a keyed hash. */
export interface Client {
  id: string;
  /** undefined: every brand's. */
  brand: string | undefined;
  metadata: Record<string, unknown> & { client_id: string };
  firstParty: boolean;
  /** The name of its logo, if we hold one. */
  logo?: string;
}

const ACCEPTED_SIZE = 5_000;

export interface ClientServiceOptions {
  db: Kysely<Database>;
  clientSwitch: ClientSwitch;
  secretKeys: readonly string[];
  /** Keys of secrets that were hashed under a SECRET_KEY since retired. */
  formerHashKeys?: readonly Buffer[];
  changes?: ToldCacheOptions<Client>['changes'];
  /** Hears what was applied, disabled and enabled. */
  events?: EventSink;
}

export type ClientService = ReturnType<typeof createClientService>;

export const createClientService = ({
  db,
  clientSwitch,
  secretKeys,
  formerHashKeys = [],
  changes,
  events,
}: ClientServiceOptions) => {
  const knownHashKeys = secretKeys.map((secret) => deriveKey(secret, 'client secrets'));
  const secretHashKeys = [...knownHashKeys, ...formerHashKeys];
  /** What was accepted before, by its stored hash: one plain hash says so again, where a keyed one costs much more. */
  const accepted = new Map<string, string>();
  const processSalt = randomBytes(16).toString('base64url');

  const hashWith = (key: Buffer, secret: string) =>
    createHmac('sha256', key).update(secret).digest('base64url');

  const load = async (id: string): Promise<Client | undefined> => {
    const row = await findClient(db, id);
    if (!row || row.disabled) return undefined;
    return {
      id: row.id,
      brand: row.brand ?? undefined,
      metadata: { ...row.metadata, client_id: row.id },
      firstParty: row.first_party,
      ...(row.logo && { logo: row.logo }),
    };
  };

  const secretMatches = (storedHash: string, secret: string): boolean => {
    const seen = hash('sha256', processSalt + secret, 'base64url');
    if (accepted.get(storedHash) === seen) return true;
    const matches = secretHashKeys.some((key) => hashWith(key, secret) === storedHash);
    if (matches && accepted.size < ACCEPTED_SIZE) accepted.set(storedHash, seen);
    return matches;
  };

  /** The hash that is stored, where it is of this secret: a process that knows one key only goes on verifying it. */
  const hashOf = (secret: string, stored: unknown) => {
    const [newest] = knownHashKeys;
    if (!newest) throw new Error('SECRET_KEY is empty');
    return (
      knownHashKeys.map((key) => hashWith(key, secret)).find((known) => known === stored) ??
      hashWith(newest, secret)
    );
  };

  const cache = createToldCache({ table: 'client', changes, load });

  const tellSwitched = (clientId: string, disabled: boolean) =>
    events?.emit(disabled ? 'client.disabled' : 'client.enabled', { clientId });

  return {
    /** The client of that id, if the brand has it and it is not disabled. */
    findClient: async (id: string, brand: string): Promise<Client | undefined> =>
      CLIENT_ID.test(id) ? ofBrand(await cache.get(id), brand) : undefined,

    listClients: () => listClients(db),

    /** Whether `secret` is the one whose hash is stored. */
    secretMatches,

    /**
     * Disables or enables a client; false for none of that id. Disabled, it is unknown to everyone, and what
     * it was given is over, on every process within a second. Nothing of it comes back when it is enabled.
     */
    setDisabled: async (id: string, disabled: boolean): Promise<boolean> => {
      const outcome = await db.transaction().execute((trx) => clientSwitch.set(trx, id, disabled));
      cache.forget(id);
      if (outcome === 'switched') tellSwitched(id, disabled);
      if (disabled) await clientSwitch.endRest(db, id);
      return outcome !== 'none';
    },

    /**
     * Registers or updates clients by id, all of them or none; an entry without `disabled` leaves that as it was.
     * Answers what each entry came to, in their order; with `dryRun` what it would come to.
     * @throws z.core.$ZodError when an entry is not of the form.
     * @throws ConfigError naming what else is wrong with which client.
     */
    applyClients: async (entries: unknown, { dryRun = false } = {}): Promise<EntryChange[]> => {
      const registrations = z.parse(ClientEntries, entries).map(toRegistration);
      const planAll = async (at: Kysely<Database>) => {
        const ids = registrations.map(({ id }) => id);
        const rows = new Map((await listClientsOf(at, ids)).map((row) => [row.id, row]));
        const planned = registrations.map((registration) =>
          planRegistration(registration, rows.get(registration.id), { hashOf, secretMatches }),
        );
        const problems = planned.flatMap((one) => one.problems);
        if (problems.length > 0) throw new ConfigError(problems);
        return planned;
      };
      if (dryRun) return (await planAll(db)).map(({ told }) => told);
      const { planned, applied, switched } = await db.transaction().execute(async (trx) => {
        const outcome = {
          planned: await planAll(trx),
          applied: [] as string[],
          switched: [] as [string, boolean][],
        };
        // In one order, so that processes that apply at once wait for each other instead of locking up.
        for (const { next, disabled } of outcome.planned.toSorted((a, b) =>
          a.next.id < b.next.id ? -1 : 1,
        )) {
          if (await upsertClient(trx, next)) outcome.applied.push(next.id);
          if (disabled === undefined) continue;
          if ((await clientSwitch.set(trx, next.id, disabled)) === 'switched')
            outcome.switched.push([next.id, disabled]);
        }
        return outcome;
      });
      for (const { next } of planned) cache.forget(next.id);
      for (const clientId of applied) events?.emit('client.applied', { clientId });
      for (const [id, disabled] of switched) tellSwitched(id, disabled);
      for (const { next, disabled } of planned) if (disabled) await clientSwitch.endRest(db, next.id);
      return planned.map(({ told }) => told);
    },
  };
};

const webUri = (value: unknown): string | undefined => {
  const url = typeof value === 'string' ? URL.parse(value) : undefined;
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
};

/** What people are led to while they decide. */
const secureUri = (value: unknown): string | undefined => {
  const uri = webUri(value);
  return uri?.startsWith('https:') ? uri : undefined;
};

const hostOf = (uri: unknown): string => {
  const url = typeof uri === 'string' ? URL.parse(uri) : undefined;
  if (!url) return '';
  return url.host || url.protocol.replace(/:$/, '');
};

/**
 * What end users are told of a client. The host is the one that is answered: that of the request's
 * redirect URI, which is registered, or of the first registered one where there is no request.
 */
export const toClientSummary = (
  { id, metadata, firstParty, logo }: Client,
  requested?: unknown,
): ClientSummary => {
  const [registered] = Array.isArray(metadata.redirect_uris) ? metadata.redirect_uris : [];
  const uri = webUri(metadata.client_uri);
  const policyUri = secureUri(metadata.policy_uri);
  const tosUri = secureUri(metadata.tos_uri);
  return {
    id,
    name: typeof metadata.client_name === 'string' ? metadata.client_name : id,
    ...(uri && { uri }),
    ...(logo && { logo: logoPath(logo) }),
    ...(policyUri && { policyUri }),
    ...(tosUri && { tosUri }),
    host: hostOf(requested ?? registered ?? metadata.client_uri),
    verified: firstParty || metadata.verified === true,
  };
};

/** Where a person can begin again at the app: a registered URI, never one out of a request. */
export const startAgainUri = ({ metadata }: Client): string | undefined => {
  const [redirectUri] = Array.isArray(metadata.redirect_uris) ? metadata.redirect_uris : [];
  const origin = webUri(redirectUri);
  return (
    webUri(metadata.initiate_login_uri) ?? webUri(metadata.client_uri) ?? (origin && new URL(origin).origin)
  );
};
