import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { insertAccount } from '../../testing/protocol-store.ts';
import { createRegistrations } from '../../testing/registrations.ts';
import { sweep } from '../sweep.ts';

const operator = { kind: 'operator' } as const;
const lamp = { preset: 'web', name: 'Lamp tales', redirect_uris: ['https://lamp.example/callback'] };

describeOnDatabases('the registry of clients', (connection) => {
  test('gives a client an id and a secret that works', async () => {
    const { registry, clients } = createRegistrations(connection.db);
    const { client, secret = '' } = await registry.create(operator, lamp);
    expect(client).toMatchObject({
      client_name: 'Lamp tales',
      preset: 'web',
      token_endpoint_auth_method: 'client_secret_basic',
      source: 'operator',
      secrets: [{ name: 'registered' }],
    });
    const found = await clients.findClient(client.client_id, 'aurelia');
    if (!found) throw new Error('the client is unknown');
    expect(clients.judgeSecret(found, secret)).toBe('right');
    expect(clients.judgeSecret(found, `${secret}x`)).toBe('wrong');
    await clients.writeUses();
    expect((await registry.get(operator, client.client_id)).secrets[0]).toHaveProperty('lastUsedAt');
    expect(JSON.stringify(await registry.get(operator, client.client_id))).not.toContain(secret);
  });

  test('shows an account its own clients alone', async () => {
    await insertAccount(connection.db, 'ada');
    await insertAccount(connection.db, 'bob');
    const { registry } = createRegistrations(connection.db);
    const [ada, bob] = [{ kind: 'account', id: 'ada' } as const, { kind: 'account', id: 'bob' } as const];
    const { client } = await registry.create(ada, lamp);
    const id = client.client_id;
    expect(client).toMatchObject({ source: 'console', role: 'owner' });
    expect((await registry.list(ada)).items.map((item) => item.client_id)).toEqual([id]);
    expect((await registry.list(bob)).items).toEqual([]);
    const asBob = [
      () => registry.get(bob, id),
      () => registry.update(bob, id, { name: 'Mine' }),
      () => registry.addSecret(bob, id, { name: 'mine' }),
      () => registry.removeSecret(bob, id, 'registered'),
      () => registry.setDisabled(bob, id, true),
      () => registry.get(ada, 'nobody'),
    ];
    for (const attempt of asBob) await expect(attempt()).rejects.toThrow('not_found');
  });

  test('rotates a secret without a moment in which none works', async () => {
    const { registry, clients } = createRegistrations(connection.db);
    const { client, secret = '' } = await registry.create(operator, lamp);
    const id = client.client_id;
    const added = await registry.addSecret(operator, id, { name: 'next' });
    const verdicts = async () => {
      const found = await clients.findClient(id, 'aurelia');
      return found && [secret, added.secret].map((value) => clients.judgeSecret(found, value));
    };
    expect(await verdicts()).toEqual(['right', 'right']);
    await registry.removeSecret(operator, id, 'registered');
    expect(await verdicts()).toEqual(['wrong', 'right']);
  });

  test('changes fields that a patch names, and clears them by null', async () => {
    const { registry } = createRegistrations(connection.db);
    const { client } = await registry.create(operator, { ...lamp, client_uri: 'https://lamp.example/' });
    const changed = await registry.update(operator, client.client_id, {
      name: 'Anew',
      client_uri: null,
      access_token_ttl: 900,
    });
    expect(changed).toMatchObject({ client_name: 'Anew', access_token_ttl: 900 });
    expect(changed).not.toHaveProperty('client_uri');
    expect(await registry.update(operator, client.client_id, { access_token_ttl: null })).toMatchObject({
      access_token_ttl: 3600,
    });
  });

  test('deletes a client, with everything of it but its history', async () => {
    const { db } = connection;
    const { registry, clients } = createRegistrations(db);
    await insertAccount(db, 'eve');
    const eve = { kind: 'account', id: 'eve' } as const;
    const { client } = await registry.create(eve, lamp);
    const id = client.client_id;
    await sql`insert into authorization_grant (brand, id, account_id, client_id, scope, payload, expires_at, locale,
      user_agent, address) values ('aurelia', 'g', 'eve', ${id}, 'openid', '{}', now() + interval '1 day', 'en', '', '')`.execute(
      db,
    );
    await expect(registry.delete(eve, id, 'Lamp')).rejects.toThrow('confirmation_differs');
    expect(await clients.findClient(id, 'aurelia')).toBeDefined();
    await registry.delete(eve, id, 'Lamp tales');
    await expect(registry.get(eve, id)).rejects.toThrow('not_found');
    expect(await clients.findClient(id, 'aurelia')).toBeUndefined();
    for (const table of ['authorization_grant', 'client_secret', 'client_member'] as const)
      expect(await db.selectFrom(table).select('client_id').where('client_id', '=', id).execute()).toEqual(
        [],
      );
    const kept = await db
      .selectFrom('client_change')
      .select('action')
      .where('client_id', '=', id)
      .orderBy('id')
      .execute();
    expect(kept.map(({ action }) => action)).toEqual(['created', 'disabled', 'deleted']);
  });

  test('a grant that a process wrote for a deleted client is swept, and is none of a later client’s', async () => {
    const { db } = connection;
    const { registry, apply } = createRegistrations(db);
    const entry = {
      client_id: 'again',
      token_endpoint_auth_method: 'none',
      redirect_uris: ['https://a.example/'],
    };
    const late = () =>
      sql`insert into authorization_grant (brand, id, account_id, client_id, scope, payload, expires_at, locale,
        user_agent, address) values ('aurelia', 'late', 'eve', 'again', 'openid', '{}', now() + interval '1 day', 'en',
        '', '')`.execute(db);
    const left = async () =>
      (await db.selectFrom('authorization_grant').select('id').where('client_id', '=', 'again').execute())
        .length;
    await apply([entry]);
    await registry.delete(operator, 'again');
    await late();
    expect(await left()).toBe(1);
    await sweep(db);
    expect(await left()).toBe(0);
    await late();
    await apply([entry]);
    expect(await left()).toBe(0);
    await late();
    await sweep(db);
    expect(await left()).toBe(1);
    await registry.delete(operator, 'again');
  });

  test('tells who changed what, the newest change first', async () => {
    const { db } = connection;
    const { registry, developers } = createRegistrations(db);
    for (const id of ['fay', 'gil']) {
      await insertAccount(db, id);
      await sql`insert into account_identifier (account_id, kind, value, display, verified_at, bound_since)
        values (${id}, 'email', ${`${id}@example.com`}, ${`${id}@example.com`}, now(), now())`.execute(db);
    }
    const fay = { kind: 'account', id: 'fay' } as const;
    const { client } = await registry.create(fay, lamp);
    const id = client.client_id;
    await registry.update(fay, id, { name: 'Lamp stories' });
    await registry.addSecret(operator, id, { name: 'next' });
    await developers.allow('gil@example.com');
    await registry.addMember(fay, id, 'GIL@example.com');
    const { items } = await registry.history(fay, id);
    expect(items.map(({ id: _id, at: _at, ...item }) => item)).toEqual([
      {
        by: { kind: 'account', name: 'fay', you: true },
        action: 'member_added',
        changes: [{ field: 'members', note: 'gil' }],
      },
      {
        by: { kind: 'operator', you: false },
        action: 'secret_added',
        changes: [{ field: 'client_secret', note: 'next' }],
      },
      {
        by: { kind: 'account', name: 'fay', you: true },
        action: 'updated',
        changes: [{ field: 'client_name', from: 'Lamp tales', to: 'Lamp stories' }],
      },
      { by: { kind: 'account', name: 'fay', you: true }, action: 'created', changes: [] },
    ]);
    expect(await registry.history(fay, id, { after: items[2]?.id ?? '' })).toMatchObject({
      items: [{ action: 'created' }],
    });
    await expect(registry.history(fay, id, { after: 'x' })).rejects.toThrow('invalid_request');
  });

  test('members change a client, and owners alone say who they are', async () => {
    const { db } = connection;
    const { registry, developers } = createRegistrations(db);
    const [fay, gil] = [{ kind: 'account', id: 'fay' } as const, { kind: 'account', id: 'gil' } as const];
    const { client } = await registry.create(fay, lamp);
    const id = client.client_id;
    await expect(registry.addMember(fay, id, 'fay@example.com')).rejects.toThrow('developer_unknown');
    await expect(registry.addMember(fay, id, 'nobody@example.com')).rejects.toThrow('developer_unknown');
    expect(await registry.addMember(fay, id, 'gil@example.com')).toMatchObject({
      id: 'gil',
      identifier: 'g•••@example.com',
      role: 'member',
      you: false,
    });
    expect((await registry.members(gil, id)).map(({ id, role, you }) => [id, role, you])).toEqual([
      ['fay', 'owner', false],
      ['gil', 'member', true],
    ]);
    expect(await registry.update(gil, id, { name: 'Ours' })).toMatchObject({ role: 'member' });
    await expect(registry.delete(gil, id, 'Ours')).rejects.toThrow('owner_required');
    await expect(registry.removeMember(gil, id, 'fay')).rejects.toThrow('owner_required');
    await expect(registry.addMember(gil, id, 'gil@example.com')).rejects.toThrow('owner_required');
    await expect(registry.removeMember(fay, id, 'fay')).rejects.toThrow('last_owner');
    await registry.removeMember(gil, id, 'gil');
    await expect(registry.get(gil, id)).rejects.toThrow('not_found');
    expect(await developers.isDeveloper('gil')).toBe(true);
    await developers.revoke('gil@example.com');
    expect(await developers.list()).toEqual([]);
    await expect(developers.revoke('gil@example.com')).rejects.toThrow('developer_unknown');
    await expect(developers.allow('nobody@example.com')).rejects.toThrow('account_not_found');
  });
});
