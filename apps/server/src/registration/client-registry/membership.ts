import type { ClientMember } from '@candela/contract';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import type { Kysely } from 'kysely';
import type { Actor } from '../../clients/client/actor.ts';
import { insertClientChange, listSecretMakings } from '../../clients/client/client-change.repository.ts';
import { deleteMember, insertMember, listMembers } from '../../clients/client/client-member.repository.ts';
import type { ClientMemberRow } from '../../clients/client/client-member.table.ts';
import { listSecretsOf, REGISTERED } from '../../clients/client/client-secret.repository.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import { requireOwner } from './access.ts';
import { toSecretFacts } from './client-facts.ts';
import type { ClientRegistry } from './client-registry.ts';
import type { RegistryDesk } from './registry-desk.ts';

const MOST_MEMBERS = 20;

const isActor = (actor: Actor, accountId: string) => actor.kind === 'account' && actor.id === accountId;

/** The history names members by the ids of their accounts. */
const noteOf = (accountId: string) => [{ field: 'members', note: accountId }];

/** The secrets that a member of the client may know. The values of those that it made were shown to it. */
const secretsKnownTo = async (trx: Kysely<Database>, id: string, accountId: string) => {
  const makings = await listSecretMakings(trx, id);
  const makers = new Map(makings.map(({ name = REGISTERED, accountId }) => [name, accountId]));
  return (await listSecretsOf(trx, [id])).map((secret) => ({
    ...toSecretFacts(secret),
    made: makers.get(secret.name) === accountId,
  }));
};

const createRemoval = ({ change, events, now }: RegistryDesk): Pick<ClientRegistry, 'removeMember'> => ({
  removeMember: async (actor, id, accountId) => {
    const secrets = await change(actor, id, async (trx, _row, role) => {
      const members = await listMembers(trx, id);
      const leaving = members.find((member) => member.account_id === accountId);
      if (!leaving) throw new AppError('not_found');
      if (!isActor(actor, accountId)) requireOwner(role);
      const owners = members.filter((member) => member.role === 'owner');
      if (leaving.role === 'owner' && owners.length === 1 && members.length > 1)
        throw new AppError('last_owner');
      if (members.length === 1 && actor.kind === 'account') throw new AppError('last_owner');
      await deleteMember(trx, id, accountId);
      await insertClientChange(trx, {
        clientId: id,
        actor,
        action: 'member_removed',
        changes: noteOf(accountId),
      });
      return secretsKnownTo(trx, id, accountId);
    });
    events?.emit('client.member_removed', { clientId: id, accountId });
    return { secrets: secrets.filter(({ expiresAt }) => !expiresAt || new Date(expiresAt) > now()) };
  },
});

/** Keeps the developers of clients. */
export const createMembership = (
  desk: RegistryDesk,
): Pick<ClientRegistry, 'members' | 'addMember' | 'removeMember'> => {
  const { db, developers, events, change, roleOf, emitOpened } = desk;
  const describe = async (actor: Actor, rows: readonly ClientMemberRow[]): Promise<ClientMember[]> => {
    const accounts = await developers.describe(rows.map((row) => row.account_id));
    const byId = new Map(accounts.map((account) => [account.id, account]));
    return rows.map(({ account_id: id, role, added_at: addedAt }) => {
      const { nickname = '', identifiers: [identifier] = [] } = byId.get(id) ?? {};
      return {
        id,
        nickname,
        identifier: identifier === undefined ? '' : maskIdentifier(identifier),
        role,
        addedAt: addedAt.toISOString(),
        you: isActor(actor, id),
      };
    });
  };

  return {
    members: async (actor, id) => {
      await roleOf(actor, id);
      return describe(actor, await listMembers(db, id));
    },

    addMember: async (actor, id, identifier, alongside) => {
      requireOwner(await roleOf(actor, id));
      const { id: accountId } = await developers.find(identifier);
      const { isNew, row, rows } = await change(actor, id, async (trx, row, role) => {
        requireOwner(role);
        const before = await listMembers(trx, id);
        if (before.some((member) => member.account_id === accountId))
          return { isNew: false, row, rows: before };
        if (before.length >= MOST_MEMBERS)
          throw new AppError('too_many_values', { fields: { identifier: 'too_many_values' } });
        await insertMember(trx, { clientId: id, accountId, role: before.length > 0 ? 'member' : 'owner' });
        await insertClientChange(trx, {
          clientId: id,
          actor,
          action: 'member_added',
          changes: noteOf(accountId),
        });
        await alongside?.(trx, accountId);
        return { isNew: true, row, rows: await listMembers(trx, id) };
      });
      if (isNew) {
        events?.emit('client.member_added', { clientId: id, accountId });
        emitOpened(actor, row, 'member_added');
      }
      const [member] = await describe(
        actor,
        rows.filter((row) => row.account_id === accountId),
      );
      if (!member) throw new AppError('not_found');
      return member;
    },

    ...createRemoval(desk),
  };
};
