import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basic } from '../support/token.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
/** A developer with a client, one with another, one who is invited to the first, and somebody who is none. */
let owner: UserAgent;
let other: UserAgent;
let member: UserAgent;
let stranger: UserAgent;
let app: Awaited<ReturnType<World['registerApp']>>;

const idOf = async (agent: UserAgent): Promise<string> => (await agent.get('/api/account')).json().id;

const join = async (agent: UserAgent, clientId: string, role: 'owner' | 'member') =>
  world.db
    .insertInto('client_member')
    .values({ client_id: clientId, account_id: await idOf(agent), role })
    .execute();

beforeAll(async () => {
  world = await createWorld();
  const people = [await world.signUp(), await world.signUp(), await world.signUp(), await world.signUp()];
  [owner, other, member, stranger] = people.map(({ agent }) => agent) as [
    UserAgent,
    UserAgent,
    UserAgent,
    UserAgent,
  ];
  for (const agent of [owner, other, member])
    await world.db
      .insertInto('developer')
      .values({ account_id: await idOf(agent) })
      .execute();
  app = await world.registerApp();
  await join(owner, app.clientId, 'owner');
  await join(member, app.clientId, 'member');
  await join(other, (await world.registerApp()).clientId, 'owner');
});
afterAll(() => world.close());

const refuse = async (): Promise<string> => {
  const refused = await world.browser().request('POST', '/oauth/token', {
    form: { grant_type: 'client_credentials' },
    headers: { origin: '', ...basic({ ...app, clientSecret: 'a-secret-that-is-none' }) },
  });
  await world.flushRecords();
  return String(refused.headers['x-request-id']);
};

const withoutReference = ({ status, json }: Answer) => {
  const { error } = json();
  return { status, error: { ...error, requestId: '' } };
};

test('OA18: the developers of a client read an error by its reference, and how the client fares', async () => {
  const reference = await refuse();
  for (const agent of [owner, member]) {
    const path = `/api/clients/${app.clientId}`;
    const { items, kinds } = (await agent.get(`${path}/errors?reference=${reference}`)).json();
    expect(items).toEqual([
      {
        reference,
        at: expect.any(String),
        endpoint: '/oauth/token',
        kind: 'wrong_secret',
        error: 'invalid_client',
        reason: expect.any(String),
        sent: expect.objectContaining({ authorization: `Basic ${app.clientId}:a-se… (21 characters)` }),
        expected: {},
      },
    ]);
    expect(kinds).toEqual([{ kind: 'wrong_secret', count: 1, lastAt: expect.any(String) }]);
    const health = (await agent.get(`${path}/health`)).json();
    expect(health).toMatchObject({ errorsToday: 1, links: 0, lastErrorAt: expect.any(String) });
    expect(health.days).toHaveLength(30);
    expect(health.days.at(-1)).toMatchObject({ tokens: 0, refreshes: 0, errors: { wrong_secret: 1 } });
  }
});

test('the developers of a client see how its links fare: made, quiet, and ended by reason', async () => {
  const { rp, clientId } = await world.registerApp();
  await join(owner, clientId, 'owner');
  const { agent } = await world.signUp();
  for (let home = 0; home < 3; home += 1) await world.link(agent, rp, { prompt: 'consent' });
  await sql`update authorization_grant set last_accessed_at = now() - interval '15 days',
      created_at = now() - interval '40 days'
    where id = (select id from authorization_grant where client_id = ${clientId} limit 1)`.execute(world.db);
  await sql`insert into ended_link (brand, id, account_id, client_id, scope, reason, since, ended_at)
    select 'aurelia', ${clientId} || n, ${await idOf(agent)}, ${clientId}, 'openid',
      (array['withdrawn', 'withdrawn', 'expired', 'token_theft'])[n],
      now() - make_interval(days => 20 * n), now() - make_interval(days => 10 * n - 5)
    from generate_series(1, 4) as n`.execute(world.db);
  const { links, linkFigures } = (await owner.get(`/api/clients/${clientId}/health`)).json();
  expect({ links, linkFigures }).toEqual({
    links: 3,
    linkFigures: { made: 3, quiet: 1, ended: { withdrawn: 2, expired: 1 } },
  });
});

test('OA18: a reference alone finds the error among all clients of the developer', async () => {
  const reference = await refuse();
  const { agent: many } = await world.signUpDeveloper();
  for (const { clientId } of [await world.registerApp(), app, await world.registerApp()])
    await join(many, clientId, 'member');
  for (const agent of [owner, member, many]) {
    const found = (await agent.get(`/api/errors/${reference}`)).json();
    const listed = (await agent.get(`/api/clients/${app.clientId}/errors?reference=${reference}`)).json();
    expect(found).toEqual({ ...listed.items[0], client_id: app.clientId });
  }
});

test('OA18: the reference of another’s error answers as an unknown one', async () => {
  const reference = await refuse();
  const foreign = await other.get(`/api/errors/${reference}`);
  expect([foreign.status, foreign.json().error.code]).toEqual([404, 'not_found']);
  for (const unknown of [
    'unknown',
    '%00',
    '%F0%9F%92%A1',
    'a'.repeat(2_000),
    encodeURIComponent("' or '1'='1"),
  ]) {
    const answer = await other.get(`/api/errors/${unknown}`);
    expect([unknown, withoutReference(answer)]).toEqual([unknown, withoutReference(foreign)]);
  }
  expect((await stranger.get(`/api/errors/${reference}`)).json().error.code).toBe('not_a_developer');
  expect((await world.browser().get(`/api/errors/${reference}`)).status).toBe(401);
});

test.each(['errors', 'health'])(
  'OA18: %s of another’s client answer as those of an unknown one',
  async (name) => {
    const reference = await refuse();
    const query = name === 'errors' ? `?reference=${reference}` : '';
    const foreign = await other.get(`/api/clients/${app.clientId}/${name}${query}`);
    expect(foreign.status).toBe(404);
    expect(withoutReference(foreign)).toEqual(
      withoutReference(await other.get(`/api/clients/unknown/${name}${query}`)),
    );
    expect(withoutReference(await stranger.get(`/api/clients/${app.clientId}/${name}`))).toMatchObject({
      status: 403,
      error: { code: 'not_a_developer' },
    });
    expect((await world.browser().get(`/api/clients/${app.clientId}/${name}`)).status).toBe(401);
  },
);

test.each(['after=x', 'kind=unknown', 'reference=a&reference=b', 'x=y', `reference=${'a'.repeat(201)}`])(
  'a query of %s is refused',
  async (query) => {
    const answer = await owner.get(`/api/clients/${app.clientId}/errors?${query}`);
    expect([answer.status, answer.json().error.code]).toEqual([400, 'invalid_request']);
  },
);
