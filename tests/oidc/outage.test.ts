import { openPglite } from '@candela/server/testing/databases';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBreakable } from '../support/breakable.ts';
import { basic } from '../support/token.ts';
import type { Answer } from '../support/user-agent.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';

const LIMIT_MS = 120_000;
/** More statements than any of these requests sends. */
const MOST = 40;

let world: World;
let breakable: ReturnType<typeof createBreakable>;
beforeAll(async () => {
  breakable = createBreakable(await openPglite());
  world = await createWorld({ connection: breakable.connection, env: { LOG_LEVEL: 'silent' } });
});
afterAll(() => world.close());

/**
 * Sends a request that is made anew each time, with the database lost at its first statement, then at its
 * second, until it has no more. An outage must be told as one, and the very same request works after it.
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
  'an outage anywhere in an authorization request is 503, and the request goes on after it',
  async () => {
    const app = await world.registerApp();
    const { agent, identifier } = await world.signUp();
    const outages = [
      // Signed in nowhere.
      await loseEach(async () => {
        const { url } = await app.rp.authorizationUrl();
        const stranger = world.browser();
        return () => stranger.get(url.href);
      }, leads),
      // The way back from a sign-in.
      await loseEach(async () => {
        const { url } = await app.rp.authorizationUrl();
        const person = world.browser();
        const uid = world.interactionOf((await person.navigate(url)).url);
        const { returnTo } = (
          await person.post(`/interaction/${uid}/login`, { identifier, password: PASSWORD })
        ).json();
        return () => person.get(returnTo);
      }, leads),
      // The way back from an approval.
      await loseEach(async () => {
        const { url } = await app.rp.authorizationUrl({ prompt: 'consent' });
        const uid = world.interactionOf((await agent.navigate(url)).url);
        const { returnTo } = (await agent.post(`/interaction/${uid}/consent`, {})).json();
        return () => agent.get(returnTo);
      }, leadsToApp),
      // Nothing is asked.
      await loseEach(async () => {
        const { url } = await app.rp.authorizationUrl();
        return () => agent.get(url.href);
      }, leadsToApp),
    ];
    for (const count of outages) expect(count).toBeGreaterThan(0);
  },
  LIMIT_MS,
);

test('a sign-in that was written goes on, although the database was lost with its answer', async () => {
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
  'an outage anywhere in a request of an app is 503, and the request works after it',
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
