import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import type { Actor } from '../../clients/client/actor.ts';
import { listHeldClients } from '../../clients/client/client.repository.ts';
import type { ClientRow } from '../../clients/client/client.table.ts';
import { findLastSwitch, insertClientChange } from '../../clients/client/client-change.repository.ts';
import { ClientEntries } from '../../clients/client/client-entry.ts';
import type { PlannedRegistration } from '../../clients/client/plan-registration.ts';
import { type Registration, toRegistration } from '../../clients/client/registration.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import { readCursor, toPage } from '../../ground/paging/page-cursor.ts';
import type { EntryChange } from '../../ground/settings-file/entry-change.ts';
import { deleteClient, endAllOfClient, switchClient } from '../../link/ending/client-ending.ts';
import { countLinksOfClient } from '../../link/grant/grant.repository.ts';
import { accountOf, holderOf, isDeveloper, isOperator, requireOwner } from './access.ts';
import { type Applied, planRegistrations, storeRegistrations } from './apply-registrations.ts';
import { toListedClient } from './client-facts.ts';
import type { ClientRegistry, DeletionTerms } from './client-registry.ts';
import { findFaults } from './client-rules.ts';
import { createHistory } from './history.ts';
import { createMembership } from './membership.ts';
import { createCreating, createUpdating } from './registering.ts';
import { type ClientRegistryOptions, createDesk, type RegistryDesk } from './registry-desk.ts';
import { createSecretKeeping } from './secret-keeping.ts';
import { describeUnknownScopes } from './unknown-scopes.ts';

export type { ClientRegistry, ListedClient } from './client-registry.ts';
export type { ClientRegistryOptions } from './registry-desk.ts';

const PAGE_SIZE = 50;

const createApplying = (desk: RegistryDesk) => {
  const { db, hashes, clients, resourceServers, events, rules, surroundingsOf, emitSwitched } = desk;

  /** Operators have what they wrote checked as a file. What others wrote is held to the rules for developers. */
  const read = async (actor: Actor, entries: unknown): Promise<Registration[]> => {
    const registrations = z.parse(ClientEntries, entries).map((entry) => toRegistration(entry, rules));
    if (isOperator(actor)) return registrations;
    return Promise.all(
      registrations.map(async (registration) => {
        const surroundings = await surroundingsOf(registration.id);
        return { ...registration, faults: findFaults(actor, registration, { rules, surroundings }) };
      }),
    );
  };

  /** An entry is a line of a file: that it ends homes for good is not to be seen in it. */
  const describeEnding = async ({ id, disabled }: Registration): Promise<string[]> => {
    const links = disabled ? await countLinksOfClient(db, id) : 0;
    return links === 0
      ? []
      : [`client "${id}" .disabled ends its ${links} links for good: enabling brings none back`];
  };

  /** By id, what an operator is told of registrations before they are stored. Others are refused for such scopes. */
  const findWarnings = async (
    actor: Actor,
    registrations: readonly Registration[],
  ): Promise<Map<string, string[]>> => {
    if (!isOperator(actor)) return new Map();
    const apis = await resourceServers.listResourceServers();
    const found = new Map<string, string[]>();
    for (const one of registrations)
      found.set(one.id, [...describeUnknownScopes(one, apis), ...(await describeEnding(one))]);
    return found;
  };

  const finish = async ({ plan: { next, disabled }, outcome, switched }: Applied): Promise<void> => {
    clients.forget(next.id);
    if (outcome !== 'unchanged')
      events?.emit(outcome === 'created' ? 'client.created' : 'client.applied', { clientId: next.id });
    if (switched !== undefined) emitSwitched(next.id, switched);
    if (disabled) await endAllOfClient(db, next.id, 'client_disabled');
  };

  const apply: ClientRegistry['apply'] = async (actor, entries, { dryRun = false } = {}) => {
    const registrations = await read(actor, entries);
    const found = await findWarnings(actor, registrations);
    const warned = (plans: readonly PlannedRegistration[]): EntryChange[] =>
      plans.map(({ change }) => ({
        ...change,
        warnings: [...change.warnings, ...(found.get(change.id) ?? [])],
      }));
    if (dryRun) return warned(await planRegistrations(db, registrations, hashes));
    const applied = await inTransaction(db, (trx) =>
      storeRegistrations(trx, { actor, registrations, hashes }),
    );
    for (const one of applied) await finish(one);
    return warned(applied.map(({ plan }) => plan));
  };
  return { apply };
};

/** @throws AppError operator_required for a developer, where what ends is the brand’s own. */
const requireOperatorToEnd = (actor: Actor, { first_party: isOfBrand }: ClientRow): void => {
  if (isOfBrand && isDeveloper(actor)) throw new AppError('operator_required');
};

const createDeleting = ({ db, clients, events, change }: RegistryDesk) => {
  const disable = (actor: Actor, id: string, { confirm, requireDue }: DeletionTerms) =>
    change(actor, id, async (trx, row, role) => {
      await requireDue?.(trx, row);
      requireOwner(role);
      requireOperatorToEnd(actor, row);
      if (isDeveloper(actor) && confirm?.trim() !== (row.metadata.client_name ?? id))
        throw new AppError('confirmation_differs', { fields: { confirm: 'confirmation_differs' } });
      if ((await switchClient(trx, id, true, 'client_deleted')) === 'switched')
        await insertClientChange(trx, { clientId: id, actor, action: 'disabled' });
    });

  const deleteOne: ClientRegistry['delete'] = async (actor, id, terms = {}) => {
    // A disabled client is given nothing more, so that the deletion finds an end.
    await disable(actor, id, terms);
    await endAllOfClient(db, id, 'client_deleted');
    await change(actor, id, async (trx) => {
      await deleteClient(trx, id);
      await insertClientChange(trx, { clientId: id, actor, action: 'deleted' });
    });
    clients.forget(id);
    events?.emit('client.deleted', { clientId: id, ...accountOf(actor) });
  };
  return { delete: deleteOne };
};

/** @throws AppError disabled_by_operator, also for what was disabled before there was a history. */
const requireEnabler = async (trx: Kysely<Database>, actor: Actor, id: string): Promise<void> => {
  if (isOperator(actor)) return;
  const kind = await findLastSwitch(trx, id);
  if (kind === undefined || isOperator({ kind })) throw new AppError('disabled_by_operator');
};

const createSwitching = ({ db, change, emitSwitched }: RegistryDesk) => {
  const setDisabled: ClientRegistry['setDisabled'] = async (actor, id, disabled, alongside) => {
    const isSwitched = await change(actor, id, async (trx, row) => {
      if (row.disabled && !disabled) await requireEnabler(trx, actor, id);
      if (disabled) requireOperatorToEnd(actor, row);
      const outcome = await switchClient(trx, id, disabled);
      if (outcome !== 'switched') return false;
      await insertClientChange(trx, { clientId: id, actor, action: disabled ? 'disabled' : 'enabled' });
      await alongside?.(trx);
      return true;
    });
    if (isSwitched) emitSwitched(id, disabled);
    if (disabled) await endAllOfClient(db, id, 'client_disabled');
    return isSwitched;
  };
  return { setDisabled };
};

export const createClientRegistry = (options: ClientRegistryOptions): ClientRegistry => {
  const desk = createDesk(options);
  return {
    list: async (actor, { after, source } = {}) => {
      const choice = { limit: PAGE_SIZE + 1, after: readCursor(after), source };
      const rows = await listHeldClients(options.db, holderOf(actor), choice);
      const { page, next } = toPage(rows, PAGE_SIZE, ({ id }) => id);
      return { items: page.map(toListedClient), ...(next !== undefined && { next }) };
    },
    get: desk.get,
    ...createCreating(desk),
    ...createUpdating(desk),
    ...createSecretKeeping(desk),
    ...createSwitching(desk),
    ...createDeleting(desk),
    ...createApplying(desk),
    ...createMembership(desk),
    ...createHistory(desk),
  };
};
