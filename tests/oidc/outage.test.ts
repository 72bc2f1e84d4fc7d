import { openPglite } from '@candela/server/testing/databases';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBreakable } from '../support/breakable.ts';
import { basic } from '../support/token.ts';
import type { Answer } from '../support/user-agent.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';

const LIMIT_MS = 120_000;
/** More than the number of statements of any of these requests. */
const MOST = 40;

let world: World;
let breakable: ReturnType<typeof createBreakable>;
beforeAll(async () => {
  breakable = createBreakable(await openPglite());
  world = await createWorld({ connection: breakable.connection, env: { LOG_LEVEL: 'silent' } });
});
afterAll(() => world.close());

/**
 * Sends a new request each time, with the database lost at its first statement, then at its second, until a run has no
 * further statement. An outage must be reported as an outage, and the same request must work after it.
 */
const loseEach = async (prepare: () => Promise<() => Promise<Answer>>, works: (answer: Answer) => void) => {
  let outages = 0;
  for (let statement = 1; statement <= MOST; statement += 1) {
    const request = await prepare();
    const place = { statement, when: 'before', of: /./ } as const;
    const { result, broke } = await breakable.during(place, request);
    if (broke && result.status >= 400) {
      outages += 1;
      expect([statement, result.status, result.headers['retry-after']], result.body).toEqual([
        statement,
        503,
        '2',
      ]);
      works(await request());
    } else works(result);
    if (!broke) return outages;
  }
  throw new Error(`there are more than ${MOST} statements`);
};

const leads = (answer: Answer) => expect([answer.status, answer.body]).toEqual([303, expect.anything()]);
const leadsToApp = (answer: Answer) => {
  leads(answer);
  expect(answer.headers.location).toMatch(/^https:\/\/app\.example\/callback\?code=/);
};
const isRight = (answer: Answer) => expect([answer.status, answer.body]).toEqual([200, answer.body]);

test(
  'PL15: an outage anywhere in an authorization request is 503, and the request continues after it',
  async () => {
    const app = await world.registerApp();
    const { agent, identifier } = await world.signUp();
    const outages = [
      // Without a session.
      await loseEach(async () => {
        const { url } = await app.rp.authorizationUrl();
        const stranger = world.browser();
        return () => stranger.get(url.href);
      }, leads),
      // The redirect after the sign-in.
      await loseEach(async () => {
        const { url } = await app.rp.authorizationUrl();
        const person = world.browser();
        const uid = world.interactionOf((await person.navigate(url)).url);
        const { returnTo } = (
          await person.post(`/interaction/${uid}/login`, { identifier, password: PASSWORD })
        ).json();
        return () => person.get(returnTo);
      }, leads),
      // The redirect after the approval.
      await loseEach(async () => {
        const { url } = await app.rp.authorizationUrl({ prompt: 'consent' });
        const uid = world.interactionOf((await agent.navigate(url)).url);
        const { returnTo } = (await agent.post(`/interaction/${uid}/consent`, {})).json();
        return () => agent.get(returnTo);
      }, leadsToApp),
      // Without any page.
      await loseEach(async () => {
        const { url } = await app.rp.authorizationUrl();
        return () => agent.get(url.href);
      }, leadsToApp),
      // The same of a pushed request, which can be answered once.
      await loseEach(async () => {
        const { url } = await app.rp.authorizationUrl();
        const form = Object.fromEntries(url.searchParams);
        const headers = { ...basic(app), origin: '', 'sec-fetch-site': '' };
        const pushed = await agent.request('POST', '/oauth/par', { form, headers });
        const { request_uri } = pushed.json();
        return () =>
          agent.get(`/oauth/authorize?${new URLSearchParams({ client_id: app.clientId, request_uri })}`);
      }, leadsToApp),
    ];
    for (const count of outages) expect(count).toBeGreaterThan(0);
  },
  LIMIT_MS,
);

test('of parallel uses of a pushed request the refused ones are told to the developers of the app', async () => {
  const app = await world.registerApp();
  const { agent } = await world.signUp();
  await world.link(agent, app.rp);
  const form = Object.fromEntries((await app.rp.authorizationUrl()).url.searchParams);
  const headers = { ...basic(app), origin: '', 'sec-fetch-site': '' };
  const { request_uri } = (await agent.request('POST', '/oauth/par', { form, headers })).json();
  const query = new URLSearchParams({ client_id: app.clientId, request_uri });
  const uses = await Promise.all([1, 2, 3, 4].map(() => agent.get(`/oauth/authorize?${query}`)));
  expect(uses.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400]);
  await world.flushRecords();
  const told = await world.db
    .selectFrom('client_error')
    .select('error')
    .where('client_id', '=', app.clientId)
    .execute();
  expect(told.map(({ error }) => error)).toEqual(Array(3).fill('invalid_request_uri'));
});

test('a written sign-in continues, although the database was lost before its answer', async () => {
  const { identifier } = await world.signUp();
  const person = world.browser();
  const uid = world.interactionOf((await person.navigate('/login')).url);
  const login = { identifier, password: PASSWORD };
  const { returnTo } = (await person.post(`/interaction/${uid}/login`, login)).json();
  const place = { statement: 1, when: 'after', of: /^commit$/ } as const;
  const { result, broke } = await breakable.during(place, () => person.get(returnTo));
  expect([broke, result.status]).toEqual([true, 303]);
  expect((await person.get('/api/account')).json().email).toBe(identifier);
});

test(
  'PL15: an outage anywhere in an app’s request is 503, and the request works after it',
  async () => {
    const app = await world.registerApp();
    const { agent } = await world.signUp();
    const { tokens } = await world.link(agent, app.rp);
    const headers = { ...basic(app), origin: '', 'sec-fetch-site': '' };
    const post = (path: string, form: Record<string, string>) => () =>
      agent.request('POST', path, { form, headers });
    const outages = [
      await loseEach(async () => {
        const { url, checks } = await app.rp.authorizationUrl();
        const code = (await agent.navigate(url)).url.searchParams.get('code') ?? '';
        return post('/oauth/token', {
          grant_type: 'authorization_code',
          code,
          redirect_uri: app.redirectUri,
          code_verifier: checks.pkceCodeVerifier,
        });
      }, isRight),
      await loseEach(async () => post('/oauth/introspect', { token: tokens.access_token }), isRight),
      await loseEach(
        async () => () =>
          agent.request('GET', '/oauth/userinfo', {
            headers: { authorization: `Bearer ${tokens.access_token}` },
          }),
        isRight,
      ),
      await loseEach(async () => post('/oauth/revoke', { token: tokens.access_token }), isRight),
    ];
    for (const count of outages) expect(count).toBeGreaterThan(0);
  },
  LIMIT_MS,
);
