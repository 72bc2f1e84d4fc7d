import type { RegisteredClient } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Actor } from '../../clients/client/actor.ts';
import {
  findClient,
  listClientsOf,
  listTrustedNames,
  lockClient,
} from '../../clients/client/client.repository.ts';
import type { ClientService } from '../../clients/client/client.service.ts';
import type { ClientRow } from '../../clients/client/client.table.ts';
import type { ClientMemberRow } from '../../clients/client/client-member.table.ts';
import { listSecretsOf } from '../../clients/client/client-secret.repository.ts';
import type { SecretHashes } from '../../clients/client/secret-hashes.ts';
import type { DeveloperService } from '../../clients/developer/developer.service.ts';
import type { ResourceServerService } from '../../clients/resource-server/resource-server.service.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { countLinksOfClient } from '../../link/grant/grant.repository.ts';
import { accountOf, isOperator, requireRole } from './access.ts';
import { toRegisteredClient } from './client-facts.ts';
import type { ClientRules, Surroundings } from './client-rules.ts';

export interface ClientRegistryOptions {
  db: Kysely<Database>;
  clients: ClientService;
  hashes: SecretHashes;
  resourceServers: ResourceServerService;
  developers: Pick<DeveloperService, 'find' | 'describe'>;
  rules: ClientRules;
  now: () => Date;
  /** Hears what was applied, disabled and enabled. */
  events?: EventSink | undefined;
}

/** What every change of a registration goes through. */
export interface RegistryDesk extends ClientRegistryOptions {
  /** What the actor is to a client. @throws AppError not_found */
  roleOf(actor: Actor, id: string): Promise<ClientMemberRow['role']>;
  /** @throws AppError not_found */
  get(actor: Actor, id: string): Promise<RegisteredClient>;
  /**
   * Runs a change of one client in a transaction, under a lock of its row.
   * @throws AppError not_found, and what `work` throws.
   */
  change<T>(
    actor: Actor,
    id: string,
    work: (trx: Kysely<Database>, row: ClientRow, role: ClientMemberRow['role']) => Promise<T>,
  ): Promise<T>;
  /** Reads what a registration of that id is judged by. */
  surroundingsOf(id: string): Promise<Surroundings>;
  emitSwitched(clientId: string, disabled: boolean): void;
  /** Tells operators that a developer gave one of the brand’s own clients a secret or a member. */
  emitOpened(actor: Actor, row: ClientRow, reason: 'secret_added' | 'member_added'): void;
}

export const createDesk = (options: ClientRegistryOptions): RegistryDesk => {
  const { db, clients, resourceServers, rules, events } = options;
  return {
    ...options,

    roleOf: async (actor, id) => {
      const [row] = await listClientsOf(db, [id]);
      return requireRole(db, actor, row);
    },

    get: async (actor, id) => {
      const row = await findClient(db, id);
      if (!row) throw new AppError('not_found');
      const role = await requireRole(db, actor, row);
      const [secrets, links, apis] = await Promise.all([
        listSecretsOf(db, [id]),
        countLinksOfClient(db, id),
        resourceServers.listResourceServers(),
      ]);
      return toRegisteredClient({ row, role, secrets, links, apis });
    },

    change: async (actor, id, work) => {
      const done = await inTransaction(db, async (trx) => {
        const row = await lockClient(trx, id);
        if (!row) throw new AppError('not_found');
        return work(trx, row, await requireRole(trx, actor, row));
      });
      clients.forget(id);
      return done;
    },

    surroundingsOf: async (id) => {
      const trusted = (await listTrustedNames(db)).filter((row) => row.id !== id);
      return {
        apis: await resourceServers.listResourceServers(),
        takenNames: [...rules.brandNames, ...trusted.flatMap(({ name }) => name ?? [])],
      };
    },

    emitSwitched: (clientId, disabled) =>
      events?.emit(disabled ? 'client.disabled' : 'client.enabled', { clientId }),

    emitOpened: (actor, { id: clientId, first_party: isOfBrand }, reason) => {
      if (isOfBrand && !isOperator(actor))
        events?.emit('client.own_opened', { clientId, reason, ...accountOf(actor) });
    },
  };
};
