import type { RegisteredClient } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Actor } from '../../clients/client/actor.ts';
import type { ClientService } from '../../clients/client/client.service.ts';
import { hasSecret } from '../../clients/client/registration.ts';
import type {
  RegistrationToken,
  RegistrationTokenService,
} from '../../clients/registration-token/registration-token.service.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { createOpaqueToken, hashToken } from '../../ground/opaque-token.ts';
import { addressLimits } from '../../ground/rate-limit/address-limits.ts';
import { requireRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';
import type { ClientRegistry } from '../client-registry/client-registry.service.ts';
import { type ClientInformation, toClientInformation } from './client-information.ts';
import {
  type FoundDynamicClient,
  findDynamicClient,
  insertDynamicClient,
  listDueDynamicClients,
} from './dynamic-client.repository.ts';
import { findPolicyFaults, withoutForeignUris } from './policy-faults.ts';
import { RegistrationRefusal, refusing, toRefusal } from './registration-refusal.ts';
import type { FindSectorFault } from './sector-document.ts';
import { readSelfDescribed, replacementOf } from './self-described.ts';

/** Where and by whom a request was made. */
export interface RegistrationCall {
  brand: { id: string; origin: string };
  address: string;
  /** The bearer token of the request, if it has one. */
  token: string | undefined;
}

export interface ManagementCall extends RegistrationCall {
  clientId: string;
}

type Body = Readonly<Record<string, unknown>>;

/** Reads the body of a call: only where the caller may call. */
type ReadBody = () => Promise<Body>;

/**
 * Clients that register themselves (RFC 7591), and look after their registrations (RFC 7592).
 * Each method throws RegistrationRefusal, and AppError rate_limited.
 */
export interface DynamicRegistrationService {
  /** Registers a client with an initial access token, and counts the use. */
  register(call: RegistrationCall, readBody: ReadBody): Promise<ClientInformation>;

  read(call: ManagementCall): Promise<ClientInformation>;

  /** Replaces what the client said of itself: fields that are left out are cleared. */
  replace(call: ManagementCall, readBody: ReadBody): Promise<ClientInformation>;

  /** Deletes the client with all that it was given. */
  remove(call: ManagementCall): Promise<void>;

  /** Deletes clients that have ended, and clients that nobody uses. Answers how many. */
  removeDue(): Promise<number>;
}

export interface DynamicRegistrationOptions {
  db: Kysely<Database>;
  clients: ClientService;
  registry: ClientRegistry;
  tokens: RegistrationTokenService;
  findSectorFault: FindSectorFault;
  now: () => Date;
  events: EventSink;
}

const HOUR = 3_600;
const PER_ADDRESS = { limit: 300, windowSeconds: HOUR };
const BATCH = 100;
const PER_TOKEN = { limit: 200, windowSeconds: HOUR };

const createJudge =
  ({ findSectorFault }: DynamicRegistrationOptions) =>
  /** What the body says of the client; refused where no registration could have it. */
  async (body: Body) => {
    const read = readSelfDescribed(body);
    if ('faults' in read) throw toRefusal(read.faults);
    const fault = await findSectorFault(read.metadata);
    if (fault) throw toRefusal([fault]);
    return read.metadata;
  };

const actorOf = ({ name }: Pick<RegistrationToken, 'name'>): Actor => ({ kind: 'registration', id: name });

const unknownToken = () =>
  new RegistrationRefusal(
    'invalid_token',
    'the initial access token is unknown, used up, expired or revoked',
  );

const unknownAccess = () =>
  new RegistrationRefusal(
    'invalid_token',
    'this is not the registration access token of a client at this address',
  );

/** What a client may not send back (RFC 7592 section 2.2). */
const forbidden = [
  'registration_access_token',
  'registration_client_uri',
  'client_secret_expires_at',
  'client_id_issued_at',
];

interface Managed {
  found: FoundDynamicClient;
  initial: RegistrationToken;
  actor: Actor;
}

const createCallers = ({ db, tokens, now, events }: DynamicRegistrationOptions) => {
  const requireCalls = (address: string) =>
    requireRateLimits(db, addressLimits('registration', address, PER_ADDRESS), now(), events);

  /** The initial access token of the request. */
  const requireInitial = async ({ token, brand, address }: RegistrationCall): Promise<RegistrationToken> => {
    await requireCalls(address);
    const initial = token === undefined ? undefined : await tokens.findGood(token, brand.id);
    if (!initial) throw unknownToken();
    const limits = [{ key: `registration-token ${initial.id}`, ...PER_TOKEN }];
    await requireRateLimits(db, limits, now(), events);
    return initial;
  };

  /** The client whose registration access token the request has. */
  const requireManaged = async ({ token, brand, address, clientId }: ManagementCall): Promise<Managed> => {
    await requireCalls(address);
    const found = token === undefined ? undefined : await findDynamicClient(db, clientId, hashToken(token));
    const initial = found && (await tokens.findById(found.token_id));
    const isHere = (found?.brand ?? brand.id) === brand.id;
    const hasEnded = found?.ends_at && found.ends_at <= now();
    if (!found || !initial || !isHere || hasEnded) throw unknownAccess();
    // RFC 7592 section 2.1.
    if (found.disabled) throw new RegistrationRefusal('access_denied', 'an operator disabled the client');
    return { found, initial, actor: actorOf(initial) };
  };

  return { requireInitial, requireManaged };
};

/** Names the client in the answer to `call`. */
const informationOf = (
  { brand, token = '' }: RegistrationCall,
  {
    found,
    client,
    secret,
  }: { found: Pick<FoundDynamicClient, 'ends_at'>; client: RegisteredClient; secret?: string | undefined },
): ClientInformation =>
  toClientInformation({ client, issuer: brand.origin, accessToken: token, secret, endsAt: found.ends_at });

const createManagement = (
  options: DynamicRegistrationOptions,
  { requireManaged }: ReturnType<typeof createCallers>,
) => {
  const { registry, clients } = options;
  const judge = createJudge(options);

  /** RFC 7592 section 2.2: what names the client must be the client's own. */
  const requireOwn = async ({ brand, clientId }: ManagementCall, body: Body): Promise<void> => {
    const sent = forbidden.find((name) => body[name] !== undefined);
    if (sent)
      throw new RegistrationRefusal(
        'invalid_client_metadata',
        `${sent} must not be sent: the server sets it`,
      );
    if (body.client_id !== clientId)
      throw new RegistrationRefusal(
        'invalid_client_metadata',
        `client_id must be the client's own, "${clientId}"`,
      );
    const { client_secret: secret } = body;
    if (secret === undefined || secret === null) return;
    const client = await clients.findClient(clientId, brand.id);
    const isRight = client && typeof secret === 'string' && clients.judgeSecret(client, secret) === 'right';
    if (!isRight)
      throw new RegistrationRefusal(
        'invalid_client_metadata',
        `client_secret is not the client's own: leave it out`,
      );
  };

  return {
    read: async (call: ManagementCall) => {
      const { found, actor } = await requireManaged(call);
      return informationOf(call, { found, client: await registry.get(actor, call.clientId) });
    },

    replace: async (call: ManagementCall, readBody: ReadBody) => {
      const { found, initial, actor } = await requireManaged(call);
      const body = await readBody();
      await requireOwn(call, body);
      const patch = replacementOf(withoutForeignUris(initial.policy, await judge(body)));
      const findFaults = (metadata: Body) => findPolicyFaults(initial.policy, metadata);
      const client = await refusing(registry.update(actor, call.clientId, patch, { findFaults }));
      const lacksSecret = hasSecret(client) && client.secrets.length === 0;
      const added = lacksSecret && (await registry.addSecret(actor, call.clientId, { name: 'registered' }));
      return informationOf(call, { found, client, ...(added && { secret: added.secret }) });
    },

    remove: async (call: ManagementCall) => {
      const { actor } = await requireManaged(call);
      await registry.delete(actor, call.clientId);
    },
  };
};

export const createDynamicRegistrationService = (
  options: DynamicRegistrationOptions,
): DynamicRegistrationService => {
  const { db, registry, tokens, now } = options;
  const callers = createCallers(options);
  const judge = createJudge(options);

  return {
    register: async (call, readBody) => {
      const initial = await callers.requireInitial(call);
      const { policy } = initial;
      const accessToken = createOpaqueToken();
      const endsAt =
        policy.clientSeconds === undefined ? null : new Date(now().getTime() + policy.clientSeconds * 1000);
      const described = withoutForeignUris(policy, await judge(await readBody()));
      const { client, secret } = await refusing(
        registry.create(
          actorOf(initial),
          { ...described, brand: call.brand.id },
          {
            findFaults: (metadata) => findPolicyFaults(policy, metadata),
            alongside: async (trx, id) => {
              await insertDynamicClient(trx, {
                client_id: id,
                token_id: initial.id,
                access_hash: hashToken(accessToken),
                ends_at: endsAt,
              });
              if (!(await tokens.use(trx, initial.id))) throw unknownToken();
            },
          },
        ),
      );
      return informationOf({ ...call, token: accessToken }, { found: { ends_at: endsAt }, client, secret });
    },

    ...createManagement(options, callers),

    removeDue: async () => {
      const due = await listDueDynamicClients(db, now(), BATCH);
      for (const { client_id: id, name } of due)
        await registry.delete(actorOf({ name }), id).catch((error: unknown) => {
          // Another process was faster.
          if (!(error instanceof AppError && error.code === 'not_found')) throw error;
        });
      return due.length;
    },
  };
};
