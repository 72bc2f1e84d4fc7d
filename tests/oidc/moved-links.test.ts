import { randomBytes } from 'node:crypto';
import { importLinkLines } from '@candela/server/testing/import-links';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOf } from '../support/token.ts';
import { createWorld, type World } from '../support/world.ts';
import type { RegisteredApp } from './authorization.ts';
import { errorOf, LIGHTS, resources, SCENES } from './resources.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const invalidGrant = expect.objectContaining({ error: 'invalid_grant' });
const SINCE = '2024-05-01T12:00:00Z';

const run = (lines: readonly (object | string)[]) => importLinkLines(lines, { db: world.db });

/** A person, an app, and a link that another server made of them. */
const move = async (token: string, metadata: Record<string, unknown> = {}) => {
  const person = await world.signUp();
  const app = await world.registerApp(metadata);
  const line = {
    client_id: app.clientId,
    account: person.identifier,
    refresh_token: token,
    scope: 'openid email',
    since: SINCE,
    brand: 'aurelia',
  };
  expect(await run([line])).toMatchObject({ imported: 1, refusedTotal: 0 });
  return { ...person, app, line };
};

const authorizations = async ({ agent }: Pick<Awaited<ReturnType<typeof move>>, 'agent'>) =>
  (await agent.get('/api/authorizations')).json().items;

const successorOf = async (app: RegisteredApp, token: string): Promise<string> =>
  (await app.rp.refresh(token)).refresh_token ?? '';

/** Lets the first use of a token be a while ago. */
const age = (token: string, seconds: number) =>
  sql`update refresh_token set first_used_at = first_used_at - ${seconds} * interval '1 second'
    where id_hash = ${hashOf(token)}`.execute(world.db);

const forms: [string, string][] = [
  ['as long as ours', randomBytes(32).toString('base64url')],
  ['as long as a machine’s', randomBytes(33).toString('base64url')],
  ['short and hexadecimal', randomBytes(16).toString('hex')],
  ['of another alphabet', `1//${randomBytes(24).toString('base64')}~|лампа`],
  ['a JWT', `${btoa('{"alg":"none"}')}.${btoa(`{"jti":"${randomBytes(16).toString('hex')}"}`)}.`],
  ['of 2,048 characters', randomBytes(1_024).toString('hex')],
];

test.each(forms)(
  'the first refresh with an old token %s is answered with one of ours',
  async (_name, old) => {
    const { app, agent, identifier } = await move(old);
    const [first, again, ...others] = await Promise.all(Array.from({ length: 6 }, () => app.rp.refresh(old)));
    const successor = first?.refresh_token ?? '';
    expect(successor).toMatch(/^[\w-]{43}$/);
    for (const answer of [again, ...others]) expect(answer?.refresh_token).toBe(successor);
    expect(first?.claims()).toMatchObject({ email: identifier });
    expect(await successorOf(app, old)).toBe(successor);

    const next = await successorOf(app, successor);
    expect(next).not.toBe(successor);
    await expect(app.rp.refresh(old)).rejects.toEqual(invalidGrant);
    expect(await authorizations({ agent })).toHaveLength(1);
    expect(await app.rp.introspect(next, 'refresh_token')).toMatchObject({ active: true });
  },
);

test('a moved link is shown, introspected and revoked as any other', async () => {
  const person = await move('old token of the lamp, 128 bits or more');
  const { app, agent, line } = person;
  expect(await app.rp.introspect(line.refresh_token)).toMatchObject({ active: true, scope: 'openid email' });
  expect(await authorizations(person)).toEqual([
    expect.objectContaining({
      createdAt: '2024-05-01T12:00:00.000Z',
      grantMode: 'authorization_code',
      scopes: ['openid', 'email', 'offline_access'],
      client: expect.objectContaining({ id: app.clientId }),
    }),
  ]);
  await app.rp.revoke(line.refresh_token);
  expect(await authorizations(person)).toEqual([]);

  // What is over is not brought back by a later run of the import, and stays known.
  expect(await run([line])).toMatchObject({ imported: 0, unchanged: 1 });
  await expect(app.rp.refresh(line.refresh_token)).rejects.toEqual(invalidGrant);
  expect(await authorizations({ agent })).toEqual([]);
});

test('who withdraws a moved link ends its old token and its new ones', async () => {
  const person = await move('an old token that is withdrawn later on');
  const { app, agent, line } = person;
  const { access_token: access, refresh_token: successor = '' } = await app.rp.refresh(line.refresh_token);
  const [{ id }] = await authorizations(person);
  expect((await agent.delete(`/api/authorizations/${id}`)).status).toBe(204);
  for (const token of [line.refresh_token, successor])
    await expect(app.rp.refresh(token)).rejects.toEqual(invalidGrant);
  expect(await app.rp.introspect(access)).toEqual({ active: false });
});

test('an old token that is sent long after its successor was used is theft, and ends the link', async () => {
  const person = await move('an old token that somebody else has, too');
  const { app, line } = person;
  const successor = await successorOf(app, line.refresh_token);
  const next = await successorOf(app, successor);
  await age(successor, 61);
  await expect(app.rp.refresh(line.refresh_token)).rejects.toEqual(invalidGrant);
  await expect(app.rp.refresh(next)).rejects.toEqual(invalidGrant);
  expect(await authorizations(person)).toEqual([]);
});

test('OA38: a client of the mode static that keeps its old token keeps its link', async () => {
  const { app, line, ...person } = await move('an old token that Google keeps for good', {
    refresh_mode: 'static',
  });
  const old = line.refresh_token;
  const pass = (days: number) =>
    sql`update refresh_token set created_at = created_at - make_interval(days => ${days}),
      expires_at = expires_at - make_interval(days => ${days})`.execute(world.db);
  for (let day = 0; day <= 500; day += 100) {
    expect((await app.rp.refresh(old)).access_token, `day ${day}`).toBeDefined();
    await pass(100);
  }
  expect(await authorizations(person)).toHaveLength(1);
  // Once a token of ours is used, the old one is a stolen copy.
  const successor = await successorOf(app, old);
  await app.rp.refresh(successor);
  await age(successor, 61);
  await expect(app.rp.refresh(old)).rejects.toEqual(invalidGrant);
  expect(await authorizations(person)).toEqual([]);
});

test('a moved link shows its absolute end, and is renewed, before the app has refreshed it', async () => {
  const DAY = 86_400;
  const age = Math.ceil((Date.now() - Date.parse(SINCE)) / 1_000);
  const { app, line, agent } = await move('an old token of a link that ends', {
    refresh_family_ttl: age + 10 * DAY,
  });
  const endIn = async () => {
    const [{ id, link }] = await authorizations({ agent });
    return { id, days: Math.round((Date.parse(link.endsAt) - Date.now()) / (DAY * 1_000)) };
  };
  const { id, days } = await endIn();
  expect(days).toBe(10);
  expect((await agent.post(`/api/authorizations/${id}/renew`)).status).toBe(200);
  expect((await endIn()).days).toBe(Math.round(age / DAY) + 10);
  expect(await successorOf(app, line.refresh_token)).not.toBe('');
});

test.each(['static', 'rotate'])('a client of the mode %s gets a token of ours all the same', async (mode) => {
  const { app, line } = await move(`an old token of a client that is ${mode}`, { refresh_mode: mode });
  const successor = await successorOf(app, line.refresh_token);
  expect(await successorOf(app, line.refresh_token)).toBe(successor);
  const kept = await successorOf(app, successor);
  expect(kept === successor).toBe(mode === 'static');
});

test('a moved link to several APIs, without openid, is refreshed for the API that the app names', async () => {
  await world.registerResources(resources);
  const person = await world.signUp();
  const app = await world.registerApp();
  const old = 'an old token of a link to two APIs';
  const line = {
    client_id: app.clientId,
    account: person.identifier,
    refresh_token: old,
    scope: 'switch play',
    brand: 'aurelia',
  };
  const resourceServers = { listOfBrand: world.listResources };
  expect(await importLinkLines([line], { db: world.db, resourceServers })).toMatchObject({ imported: 1 });
  expect(await errorOf(app.rp.refresh(old))).toBe('invalid_target');
  expect((await app.rp.refresh(old, { resource: LIGHTS })).scope).toBe('switch');
  expect((await app.rp.refresh(old, { resource: SCENES })).scope).toBe('play');
});

/** Works as while another process imports links. */
const whileImporting = async (work: () => Promise<void>) => {
  const lease = { name: 'links', holder: 'another process', expires_at: new Date(Date.now() + 60_000) };
  await world.db.insertInto('lease').values(lease).execute();
  try {
    await work();
  } finally {
    await world.db.deleteFrom('lease').where('name', '=', lease.name).execute();
  }
};

test('while links are imported, an app that revokes an unknown token is told to ask again', async () => {
  const person = await move('an old token of the link that is there');
  const { app, line } = person;
  const old = 'an old token that the import is still to bring';
  const revoke = async (token: string, hint: Record<string, string> = {}) => {
    const form = { token, client_id: app.clientId, client_secret: app.clientSecret, ...hint };
    const { status, headers, body } = await world.browser().request('POST', '/oauth/revoke', { form });
    return { status, retryAfter: headers['retry-after'], body };
  };
  await whileImporting(async () => {
    for (const hint of [{}, { token_type_hint: 'refresh_token' }, { token_type_hint: 'access_token' }]) {
      const refused = await revoke(old, hint);
      expect(refused).toMatchObject({ status: 503, retryAfter: '5' });
      expect(JSON.parse(refused.body)).toMatchObject({ error: 'temporarily_unavailable' });
      // Of whatever kind the app takes a token, one that is found is revoked.
      const { access_token: access } = await app.rp.refresh(line.refresh_token);
      expect(await revoke(access, hint)).toMatchObject({ status: 200, body: '' });
      expect(await app.rp.introspect(access)).toEqual({ active: false });
    }
    expect(await run([{ ...line, refresh_token: old }])).toMatchObject({ imported: 1 });
    expect(await authorizations(person)).toHaveLength(2);
    expect(await revoke(old)).toMatchObject({ status: 200 });
  });
  expect(await authorizations(person)).toHaveLength(1);
  expect(await revoke('a token that nobody brings')).toMatchObject({ status: 200 });
});
