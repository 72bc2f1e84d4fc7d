import type { RegisteredClient } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { ClientService } from '../../clients/client/client.service.ts';
import type { ClientRow } from '../../clients/client/client.table.ts';
import { hasSecret } from '../../clients/client/registration.ts';
import type { RegistrationPolicy } from '../../clients/registration-token/registration-policy.ts';
import { listKnownScopes } from '../../clients/resource-server/known-scopes.ts';
import type { ResourceServerService } from '../../clients/resource-server/resource-server.service.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import { createOpaqueToken, hashToken } from '../../ground/opaque-token.ts';
import { requireInUse } from '../client-registry/access.ts';
import type { ClientRegistry } from '../client-registry/client-registry.service.ts';
import { asRegistered } from './as-registered.ts';
import {
  actorOf,
  type Callers,
  type CallersOptions,
  createCallers,
  type ManagementCall,
  type RegistrationCall,
} from './callers.ts';
import { type ClientInformation, toClientInformation } from './client-information.ts';
import {
  type FoundDynamicClient,
  insertDynamicClient,
  listDueDynamicClients,
} from './dynamic-client.repository.ts';
import { findPolicyFaults } from './policy-faults.ts';
import { RegistrationRefusal, refusing, toRefusal } from './registration-refusal.ts';
import type { FindSectorFault } from './sector-document.ts';
import { readSelfDescribed, replacementOf } from './self-described.ts';

type Body = Readonly<Record<string, unknown>>;

/** Reads the body of a call: only where the caller may call. */
type ReadBody = () => Promise<Body>;

/**
 * Clients that register themselves (RFC 7591), and look after their registrations (RFC 7592).
 * Each method throws RegistrationRefusal, and AppError rate_limited.
 */
export interface DynamicRegistrationService {
  /** Registers a client with an initial access token, and counts the use; or without one, where it needs none. */
  register(call: RegistrationCall, readBody: ReadBody): Promise<ClientInformation>;

  read(call: ManagementCall): Promise<ClientInformation>;

  /** Replaces what the client said of itself: fields that are left out are cleared. */
  replace(call: ManagementCall, readBody: ReadBody): Promise<ClientInformation>;

  /** Deletes the client with all that it was given. */
  remove(call: ManagementCall): Promise<void>;

  /** Deletes clients that have ended, and clients that nobody uses. Answers how many. */
  removeDue(): Promise<number>;
}

export interface DynamicRegistrationOptions extends CallersOptions {
  clients: ClientService;
  registry: ClientRegistry;
  resourceServers: Pick<ResourceServerService, 'listResourceServers'>;
  /** Private schemes without a dot that native clients may have. */
  nativeSchemes: readonly string[];
  findSectorFault: FindSectorFault;
}

const BATCH = 100;

const createJudge =
  ({ findSectorFault, resourceServers, nativeSchemes }: DynamicRegistrationOptions) =>
  /** What of the body is registered; refused where no registration could have it. */
  async ({ brand }: RegistrationCall, policy: RegistrationPolicy, body: Body) => {
    const read = readSelfDescribed(body);
    if ('faults' in read) throw toRefusal(read.faults);
    const scopes = listKnownScopes(await resourceServers.listResourceServers(), brand.id);
    const metadata = asRegistered(read.metadata, { policy, nativeSchemes, scopes });
    const fault = await findSectorFault(metadata);
    if (fault) throw toRefusal([fault]);
    return metadata;
  };

/** What a client may not send back (RFC 7592 section 2.2). */
const forbidden = [
  'registration_access_token',
  'registration_client_uri',
  'client_secret_expires_at',
  'client_id_issued_at',
];

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

const createManagement = (options: DynamicRegistrationOptions, { requireManaged }: Callers) => {
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
      const { found, policy, actor } = await requireManaged(call);
      const body = await readBody();
      await requireOwn(call, body);
      const patch = replacementOf(await judge(call, policy, body));
      const findFaults = (metadata: Body) => findPolicyFaults(policy, metadata);
      const client = await refusing(registry.update(actor, call.clientId, patch, { findFaults }));
      const lacksSecret = hasSecret(client) && client.secrets.length === 0;
      const added =
        lacksSecret && (await refusing(registry.addSecret(actor, call.clientId, { name: 'registered' })));
      return informationOf(call, { found, client, ...(added && { secret: added.secret }) });
    },

    remove: async (call: ManagementCall) => {
      const { actor } = await requireManaged(call);
      await refusing(
        registry.delete(actor, call.clientId, { requireDue: async (_trx, row) => requireInUse(actor, row) }),
      );
    },
  };
};

export const createDynamicRegistrationService = (
  options: DynamicRegistrationOptions,
): DynamicRegistrationService => {
  const { db, registry, now } = options;
  const callers = createCallers(options);
  const judge = createJudge(options);

  return {
    register: async (call, readBody) => {
      const { policy, actor, tokenId } = await callers.requireInitial(call);
      const accessToken = createOpaqueToken();
      const endsAt =
        policy.clientSeconds === undefined ? null : new Date(now().getTime() + policy.clientSeconds * 1000);
      const described = await judge(call, policy, await readBody());
      const { client, secret } = await refusing(
        registry.create(
          actor,
          { ...described, brand: call.brand.id },
          {
            findFaults: (metadata) => findPolicyFaults(policy, metadata),
            alongside: async (trx, id) => {
              await insertDynamicClient(trx, {
                client_id: id,
                token_id: tokenId,
                access_hash: hashToken(accessToken),
                ends_at: endsAt,
              });
              await callers.countMade(trx, tokenId);
            },
          },
        ),
      );
      return informationOf({ ...call, token: accessToken }, { found: { ends_at: endsAt }, client, secret });
    },

    ...createManagement(options, callers),

    removeDue: async () => {
      const due = await listDueDynamicClients(db, now(), { limit: BATCH });
      /** Somebody may have used the client since it was listed. */
      const requireDue = async (trx: Kysely<Database>, { id }: ClientRow) => {
        if ((await listDueDynamicClients(trx, now(), { limit: 1, id })).length === 0)
          throw new AppError('not_found');
      };
      for (const { client_id: id, name } of due)
        await registry.delete(actorOf(name), id, { requireDue }).catch((error: unknown) => {
          // Another process was faster, or it is not due any more.
          if (!(error instanceof AppError && error.code === 'not_found')) throw error;
        });
      return due.length;
    },
  };
};
