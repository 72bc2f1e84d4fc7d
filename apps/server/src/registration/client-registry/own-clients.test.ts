import { clientApi } from '@candela/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { insertAccount } from '../../../testing/protocol-store.ts';
import { createRegistrations } from '../../../testing/registrations.ts';
import type { Actor } from '../../clients/client/actor.ts';

const operator = { kind: 'operator' } as const;
const home = { preset: 'web', name: 'Lamp tales', redirect_uris: ['https://lamp.example/callback'] };
const alexa = { preset: 'alexa', name: 'Amber bulb', vendor_id: 'M2AAAAAAAAAAAA' };
const google = { preset: 'google-home', name: 'Gentle glow', project_id: 'our-lights-1a2b3' };
const ifttt = { preset: 'ifttt', name: 'Evening rules', service_id: 'our_lights' };

/** Another value for each field that a developer may set; `contacts` is nobody’s but the developers’. */
const others: Record<string, unknown> = {
  redirect_uris: ['https://lamp.example/callback', 'https://evil.example/callback'],
  post_logout_redirect_uris: ['https://evil.example/'],
  client_uri: 'https://evil.example/',
  logo_uri: 'https://evil.example/logo.png',
  policy_uri: 'https://evil.example/policy',
  tos_uri: 'https://evil.example/terms',
  initiate_login_uri: 'https://evil.example/login',
  backchannel_logout_uri: 'https://evil.example/logout',
  backchannel_logout_session_required: true,
  application_type: 'native',
  token_endpoint_auth_method: 'client_secret_post',
  jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'a', y: 'b' }] },
  jwks_uri: 'https://evil.example/jwks',
  grant_types: ['authorization_code'],
  response_types: ['none'],
  scope: 'openid email phone',
  optional_scopes: 'email',
  scope_reasons: { email: 'For mail' },
  id_token_signed_response_alg: 'ES256',
  id_token_claims: 'spec',
  require_pkce: false,
  dpop_bound_access_tokens: true,
  require_pushed_authorization_requests: true,
  access_token_ttl: 600,
  refresh_token_ttl: 3600,
  refresh_family_ttl: 7200,
  refresh_mode: 'static',
  always_ask: true,
  vendor_id: 'M2BBBBBBBBBBBB',
  project_id: 'their-lights-1a2b3',
  service_id: 'their_lights',
  name: 'Lamp evil',
  client_name: 'Lamp evil',
};

const drafts: Readonly<Record<string, object>> = {
  vendor_id: alexa,
  project_id: google,
  service_id: ifttt,
};
const draftFor = (field: string) => drafts[field] ?? home;

describeOnDatabases('a client of the brand', (connection) => {
  const create = async () => {
    const { db } = connection;
    await db.deleteFrom('client').execute();
    const known = await db.selectFrom('account').select('id').where('id', '=', 'ida').executeTakeFirst();
    for (const id of known ? [] : ['ida', 'joe']) {
      await insertAccount(db, id);
      await sql`insert into account_identifier (account_id, kind, value, display, verified_at, bound_since)
        values (${id}, 'email', ${`${id}@example.com`}, ${`${id}@example.com`}, now(), now())`.execute(db);
    }
    const emitted: object[] = [];
    const events = { emit: (event: string, fields?: object) => void emitted.push({ event, ...fields }) };
    const made = createRegistrations(db, { events });
    for (const id of ['ida', 'joe']) await made.developers.allow(`${id}@example.com`);
    return { ...made, emitted };
  };
  type Made = Awaited<ReturnType<typeof create>>;

  const ida = { kind: 'account', id: 'ida' } as const;
  const joe = { kind: 'account', id: 'joe' } as const;

  /** Makes a client as its kind of actor does; then an operator makes it the brand’s own. */
  const makers: Record<string, { actor: Actor; make: (made: Made, draft: object) => Promise<string> }> = {
    'an owner': {
      actor: ida,
      make: async ({ registry }, draft) => (await registry.create(ida, draft as never)).client.client_id,
    },
    'a member': {
      actor: joe,
      make: async ({ registry }, draft) => {
        const { client_id: id } = (await registry.create(ida, draft as never)).client;
        await registry.addMember(ida, id, 'joe@example.com');
        return id;
      },
    },
    'a machine': {
      actor: { kind: 'machine', id: 'robot' },
      make: async ({ registry }, draft) =>
        (await registry.create({ kind: 'machine', id: 'robot' }, draft as never)).client.client_id,
    },
    'the holder of its registration access token': {
      actor: { kind: 'registration', id: 'token' },
      make: async ({ registry }, draft) =>
        (await registry.create({ kind: 'registration', id: 'token' }, draft as never)).client.client_id,
    },
    'its own document': {
      actor: { kind: 'document' },
      make: async ({ registry }, draft) => {
        const client_id = `https://lamp.example/${Math.random()}`;
        return (await registry.create({ kind: 'document' }, { client_id, ...draft } as never)).client
          .client_id;
      },
    },
  };

  test.each(Object.keys(makers))('CL8: %s changes nothing that people or tokens depend on', async (name) => {
    expect(Object.keys({ ...others, contacts: [] }).toSorted()).toEqual(
      Object.keys(clientApi.updateClient.body.shape).toSorted(),
    );
    const made = await create();
    const { registry } = made;
    const { actor, make } = makers[name] as (typeof makers)[string];
    const ids = new Map<object, string>();
    for (const draft of [home, alexa, google, ifttt]) {
      const id = await make(made, draft);
      await registry.update(operator, id, { first_party: true });
      ids.set(draft, id);
    }
    for (const [field, value] of Object.entries(others)) {
      const id = ids.get(draftFor(field)) ?? '';
      const before = await registry.get(operator, id);
      const code = await registry.update(actor, id, { [field]: value }).then(
        () => 'changed',
        (error: Error) => error.message,
      );
      expect([field, code]).toEqual([field, 'operator_required']);
      expect(await registry.get(operator, id)).toEqual(before);
    }
    const id = ids.get(home) ?? '';
    expect(await registry.update(actor, id, { contacts: ['ops@lamp.example'] })).toMatchObject({
      contacts: ['ops@lamp.example'],
      first_party: true,
    });
    expect(await registry.update(actor, id, {})).toMatchObject({ first_party: true });
  });

  test('CL8: is disabled and deleted by an operator alone', async () => {
    const { registry } = await create();
    const { client_id: id } = (await registry.create(operator, { ...home, first_party: true, owner: 'ida' }))
      .client;
    await expect(registry.setDisabled(ida, id, true)).rejects.toThrow('operator_required');
    await expect(registry.delete(ida, id, { confirm: home.name })).rejects.toThrow('operator_required');
    await registry.setDisabled(operator, id, true);
    await registry.delete(operator, id);
  });

  test('CL8: is vouched for under the names and at the hosts that an operator approved, whichever way they changed', async () => {
    const { registry, clients, apply } = await create();
    const entry = {
      client_id: 'own-hub',
      preset: home.preset,
      redirect_uris: home.redirect_uris,
      client_name: 'Lamp tales',
      first_party: true,
    };
    const vouched = async () => {
      clients.forget('own-hub');
      return (await clients.findClient('own-hub', 'aurelia'))?.isVouchedFor;
    };
    await apply([{ ...entry, client_secret: 'a'.repeat(32) }]);
    expect(await vouched()).toBe(true);
    await connection.db
      .updateTable('client')
      .set({
        metadata: sql`jsonb_set(metadata, '{redirect_uris}', '["https://evil.example/callback"]')`,
      })
      .where('id', '=', 'own-hub')
      .execute();
    expect(await vouched()).toBe(false);
    await registry.update(operator, 'own-hub', { client_name: 'Lamp evil' });
    expect(await vouched()).toBe(true);
    await connection.db
      .updateTable('client')
      .set({ approved_fingerprint: null })
      .where('id', '=', 'own-hub')
      .execute();
    expect(await vouched()).toBe(false);
    await apply([{ ...entry, client_secret: 'a'.repeat(32) }]);
    expect(await vouched()).toBe(true);
    await registry.update(operator, 'own-hub', { first_party: false });
    expect(await vouched()).toBe(false);
  });

  test('CL9: operators are told of new secrets and members', async () => {
    const { registry, emitted } = await create();
    const { client_id: id } = (await registry.create(operator, { ...home, first_party: true, owner: 'ida' }))
      .client;
    const told = () => emitted.filter((event) => 'event' in event && event.event === 'client.own_opened');
    await registry.addSecret(operator, id, { name: 'by-operator' });
    expect(told()).toEqual([]);
    await registry.addSecret(ida, id, { name: 'by-ida' });
    await registry.addMember(ida, id, 'joe@example.com');
    await registry.addMember(ida, id, 'joe@example.com');
    const whom = { event: 'client.own_opened', clientId: id, accountId: 'ida' };
    expect(told()).toEqual([
      { ...whom, reason: 'secret_added' },
      { ...whom, reason: 'member_added' },
    ]);
    const other = (await registry.create(ida, alexa)).client.client_id;
    await registry.addSecret(ida, other, { name: 'next' });
    expect(told()).toHaveLength(2);
  });

  test('CL10: who is taken off leaves no secret unnamed', async () => {
    const { registry } = await create();
    const { client_id: id } = (await registry.create(ida, home)).client;
    await registry.addMember(ida, id, 'joe@example.com');
    for (const [actor, secret] of [
      [ida, 'by-ida'],
      [joe, 'by-joe'],
      [ida, 'again'],
    ] as const)
      await registry.addSecret(actor, id, { name: secret });
    await registry.removeSecret(ida, id, 'again');
    await registry.addSecret(joe, id, { name: 'again' });
    const { secrets } = await registry.removeMember(ida, id, 'joe');
    expect(secrets.map(({ name, made }) => [name, made])).toEqual([
      ['registered', false],
      ['by-ida', false],
      ['by-joe', true],
      ['again', true],
    ]);
    await registry.addMember(ida, id, 'joe@example.com');
    for (const { name } of secrets.filter(({ made }) => made)) await registry.removeSecret(ida, id, name);
    expect((await registry.removeMember(joe, id, 'joe')).secrets.map(({ name }) => name)).toEqual([
      'registered',
      'by-ida',
    ]);
  });
});
