import { expect, test } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { insertAccount } from '../../testing/protocol-store.ts';
import { createRegistrations } from '../../testing/registrations.ts';

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
});
