import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { insertAccount } from '../../../testing/protocol-store.ts';
import { createRegistrations } from '../../../testing/registrations.ts';
import { sweep } from '../../operation/sweep.ts';

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

  test('CL2: shows an account its own clients alone', async () => {
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

  test('CL1: a secret that has ended is refused, and known from a wrong one', async () => {
    const { registry, clients } = createRegistrations(connection.db);
    const { client, secret = '' } = await registry.create(operator, lamp);
    const id = client.client_id;
    const added = await registry.addSecret(operator, id, {
      name: 'short-lived',
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    });
    const judge = async () => {
      clients.forget(id);
      const found = await clients.findClient(id, 'aurelia');
      return found && [secret, added.secret, 'another'].map((value) => clients.judgeSecret(found, value));
    };
    expect(await judge()).toEqual(['right', 'right', 'wrong']);
    await connection.db
      .updateTable('client_secret')
      .set({ expires_at: sql<Date>`now() - interval '1 second'` })
      .where('name', '=', 'short-lived')
      .execute();
    expect(await judge()).toEqual(['right', 'ended', 'wrong']);
    await expect(registry.removeSecret({ kind: 'machine', id: 'nobody' }, id, 'registered')).rejects.toThrow(
      'not_found',
    );
    expect(JSON.stringify(await registry.get(operator, id))).not.toContain(added.secret);
  });

  test('a client has at most five secrets, each with a name of its own and an end in the future', async () => {
    await insertAccount(connection.db, 'hal');
    const hal = { kind: 'account', id: 'hal' } as const;
    const { registry } = createRegistrations(connection.db);
    const { client } = await registry.create(hal, lamp);
    const id = client.client_id;
    for (const name of ['', 'a b', '../../x', 'a'.repeat(41)])
      await expect(registry.addSecret(hal, id, { name })).rejects.toThrow('secret_name_invalid');
    const years = (count: number) => new Date(Date.now() + count * 366 * 86_400_000).toISOString();
    for (const expiresAt of ['soon', '2026-02-30T00:00:00Z', years(-1), years(6)])
      await expect(registry.addSecret(hal, id, { name: 'a', expiresAt })).rejects.toThrow('expiry_invalid');
    for (const name of ['a', 'b', 'c', 'd']) await registry.addSecret(hal, id, { name });
    await expect(registry.addSecret(hal, id, { name: 'a' })).rejects.toThrow('secret_name_taken');
    await expect(registry.addSecret(hal, id, { name: 'e' })).rejects.toThrow('secrets_exhausted');
    for (const name of ['a', 'b', 'c', 'd']) await registry.removeSecret(hal, id, name);
    await expect(registry.removeSecret(hal, id, 'registered')).rejects.toThrow('last_secret');
    await expect(registry.removeSecret(hal, id, 'a')).rejects.toThrow('not_found');
    await registry.removeSecret(operator, id, 'registered');
    expect((await registry.get(hal, id)).secrets).toEqual([]);
    const open = await registry.create(hal, { ...lamp, preset: 'spa' });
    expect(open).not.toHaveProperty('secret');
    await expect(registry.addSecret(hal, open.client.client_id, { name: 'a' })).rejects.toThrow(
      'auth_method_invalid',
    );
  });

  test('a client that authenticates by a secret no more has none', async () => {
    const { registry } = createRegistrations(connection.db);
    const { client } = await registry.create(operator, lamp);
    const jwks = { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }] };
    const changed = await registry.update(operator, client.client_id, {
      token_endpoint_auth_method: 'private_key_jwt',
      jwks,
    });
    expect(changed.secrets).toEqual([]);
    const { items } = await registry.history(operator, client.client_id);
    expect(items[0]?.changes).toContainEqual({ field: 'client_secret', note: 'registered' });
  });

  test('a file brings no removed secret back, and leaves those that were added', async () => {
    const { registry, clients, apply } = createRegistrations(connection.db);
    const leaked = 'a-secret-of-a-file-that-was-leaked';
    const entry = { client_id: 'filed', client_secret: leaked, redirect_uris: ['https://a.example/'] };
    await apply([entry]);
    const { secret } = await registry.addSecret(operator, 'filed', { name: 'next' });
    expect(await apply([entry])).toMatchObject([{ outcome: 'unchanged', warnings: [] }]);
    await registry.removeSecret(operator, 'filed', 'registered');
    expect(await apply([entry])).toMatchObject([
      {
        outcome: 'unchanged',
        warnings: [expect.stringContaining('.client_secret was removed, and stays so')],
      },
    ]);
    const found = await clients.findClient('filed', 'aurelia');
    expect(found && [leaked, secret].map((value) => clients.judgeSecret(found, value))).toEqual([
      'wrong',
      'right',
    ]);
    expect(await apply([{ ...entry, client_secret: secret }])).toMatchObject([
      { outcome: 'unchanged', warnings: [] },
    ]);
  });

  test('what an operator disabled, only an operator enables', async () => {
    await insertAccount(connection.db, 'jan');
    const jan = { kind: 'account', id: 'jan' } as const;
    const { registry } = createRegistrations(connection.db);
    const { client } = await registry.create(jan, lamp);
    const id = client.client_id;
    expect(await registry.setDisabled(jan, id, true)).toBe(true);
    expect(await registry.setDisabled(jan, id, false)).toBe(true);
    await registry.setDisabled(operator, id, true);
    await expect(registry.setDisabled(jan, id, false)).rejects.toThrow('disabled_by_operator');
    expect(await registry.get(jan, id)).toMatchObject({ disabled: true });
    expect(await registry.setDisabled(operator, id, false)).toBe(true);
    expect(await registry.setDisabled(jan, id, false)).toBe(false);
  });

  test('a client that looks after itself changes nothing while it is disabled', async () => {
    const { registry } = createRegistrations(connection.db);
    const itself = { kind: 'registration' } as const;
    const { client } = await registry.create(itself, lamp);
    const id = client.client_id;
    await registry.setDisabled(operator, id, true);
    for (const change of [
      () => registry.update(itself, id, { name: 'Another lamp' }),
      () => registry.addSecret(itself, id, { name: 'next' }),
    ])
      await expect(change()).rejects.toThrow('disabled_by_operator');
    expect(await registry.get(operator, id)).toMatchObject({
      client_name: 'Lamp tales',
      secrets: [{ name: 'registered' }],
    });
    await registry.update(operator, id, { name: 'Another lamp' });
    await registry.setDisabled(operator, id, false);
    await registry.addSecret(itself, id, { name: 'next' });
  });

  test('a machine sees the clients that it made, and a developer owns fifty', async () => {
    const { registry } = createRegistrations(connection.db);
    const { client: machine } = await registry.create(operator, { preset: 'machine', name: 'Pipeline' });
    const { client: other } = await registry.create(operator, { preset: 'machine', name: 'Other' });
    const pipeline = { kind: 'machine', id: machine.client_id } as const;
    const { client } = await registry.create(pipeline, { ...lamp, scope: 'openid email' });
    expect(client).toMatchObject({ source: 'machine', role: 'owner' });
    expect((await registry.list(pipeline)).items.map((item) => item.client_id)).toEqual([client.client_id]);
    const stranger = { kind: 'machine', id: other.client_id } as const;
    await expect(registry.get(stranger, client.client_id)).rejects.toThrow('not_found');
    expect((await registry.history(pipeline, client.client_id)).items[0]?.by).toEqual({
      kind: 'machine',
      name: 'Pipeline',
      you: true,
    });
    await insertAccount(connection.db, 'ivy');
    const ivy = { kind: 'account', id: 'ivy' } as const;
    const created = await Promise.allSettled(
      Array.from({ length: 52 }, () => registry.create(ivy, { ...lamp, preset: 'spa' })),
    );
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    await expect(registry.create(ivy, lamp)).rejects.toThrow('clients_exhausted');
    expect(await registry.list(ivy)).not.toHaveProperty('next');
    const first = await registry.list(operator);
    const { items } = await registry.list(operator, { after: first.next ?? '' });
    const ids = [...first.items, ...items].map((item) => item.client_id);
    expect(first.items).toHaveLength(50);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining([machine.client_id, other.client_id, client.client_id]));
  });

  test('a document changes no client that somebody registered', async () => {
    const { registry } = createRegistrations(connection.db);
    const id = 'https://app.example/client.json';
    const entry = {
      ...lamp,
      client_id: id,
      client_name: 'Mine',
      token_endpoint_auth_method: 'none',
      preset: 'spa',
    };
    const { name: _name, ...document } = entry;
    await registry.apply(operator, [document]);
    const attempt = registry.apply({ kind: 'document' }, [{ ...document, client_name: 'Theirs' }]);
    await expect(attempt).rejects.toThrow('not_found');
    expect(await registry.get(operator, id)).toMatchObject({ client_name: 'Mine', source: 'operator' });
    await expect(
      registry.apply({ kind: 'document' }, [
        { ...document, client_id: 'https://b.example/', client_name: 'Aurelia' },
      ]),
    ).rejects.toThrow('looks like the name of another app');
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

  test('CL4: deletes a client, with everything of it but its history', async () => {
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
    await expect(registry.delete(eve, id, { confirm: 'Lamp' })).rejects.toThrow('confirmation_differs');
    expect(await clients.findClient(id, 'aurelia')).toBeDefined();
    await registry.delete(eve, id, { confirm: 'Lamp tales' });
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
    await expect(registry.delete(gil, id, { confirm: 'Ours' })).rejects.toThrow('owner_required');
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
