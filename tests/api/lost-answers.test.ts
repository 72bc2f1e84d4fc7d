import { randomBytes } from 'node:crypto';
import { openTestDatabase } from '@candela/server/testing/databases';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBreakable } from '../support/breakable.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';

const LIMIT_MS = 240_000;
/** More than the number of statements of any of these requests. */
const MOST = 60;

let world: World;
let breakable: ReturnType<typeof createBreakable>;
beforeAll(async () => {
  breakable = createBreakable(await openTestDatabase());
  world = await createWorld({ connection: breakable.connection, env: { LOG_LEVEL: 'silent' } });
});
afterAll(() => world.close());

const newIdentifier = () => `${randomBytes(6).toString('hex')}@example.com`;

const ANY = /./;
/** After a statement that only reads, the database is as it was before. */
const WRITES = /^(?!select .* from |begin)/s;

/** How the database is lost at a statement: for that statement only, or until the request is answered. */
const losses = [
  { when: 'before', stays: false, of: ANY },
  { when: 'after', stays: false, of: WRITES },
  { when: 'after', stays: true, of: ANY },
] as const;

/**
 * Repeats `once` with the database lost at its first statement, then at its second, and so on, until a run has no
 * further statement. Each run must be answered with an outage or with success.
 */
const loseEach = async (
  { when, stays, of }: (typeof losses)[number],
  once: () => Promise<{ request: () => Promise<Answer>; check(answer: Answer): Promise<void> }>,
) => {
  let outages = 0;
  for (let statement = 1; statement <= MOST; statement += 1) {
    const { request, check } = await once();
    let isUnderWay = true;
    const lose = async () => {
      // A statement of the background may end after the answer.
      if (isUnderWay) breakable.setAway(stays);
      throw new Error('Connection terminated unexpectedly');
    };
    const { result, broke } = await breakable.during({ statement, when, of, meanwhile: lose }, request);
    isUnderWay = false;
    breakable.setAway(false);
    if (result.status !== 200)
      expect([statement, result.status, result.body]).toEqual([statement, 503, result.body]);
    if (result.status === 503) outages += 1;
    await check(result);

    if (!broke) return { statements: statement - 1, outages };
  }
  throw new Error(`there are more than ${MOST} statements`);
};

/** Repeats the request after an outage as a page does, with the ticket if there is one. */
const pressAgain = async (
  agent: UserAgent,
  path: string,
  { code, ...body }: Record<string, unknown>,
  refused: Answer,
): Promise<Answer> => {
  const { ticket } = refused.json().error;
  if (!ticket) return agent.post(path, { ...body, code });
  const answer = await agent.post(path, { ...body, ticket });
  return answer.status === 401 ? agent.post(path, { ...body, code }) : answer;
};

/** Where a browser arrives after an answer that told it to go on, or after a lost answer. */
const goOn = async (agent: UserAgent, uid: string, answer: Answer): Promise<string> => {
  const path = answer.status === 410 ? `/interaction/${uid}` : answer.json().returnTo;
  return (await agent.navigate(path)).url.pathname;
};

describe.each(losses)(
  'a database that is lost $when a statement, and away until the answer: $stays,',
  (loss) => {
    test(
      'costs who registers no second code, and makes one account',
      async () => {
        const { outages } = await loseEach(loss, async () => {
          const identifier = newIdentifier();
          const agent = world.browser();
          const uid = world.interactionOf((await agent.navigate('/register')).url);
          const code = await world.receiveCode(agent, identifier, 'register');
          const { agreements } = await world.details(agent, uid);
          const path = `/interaction/${uid}/register`;
          const body = {
            identifier,
            code,
            password: PASSWORD,
            agreements: agreements.map(({ id, version }: { id: string; version: string }) => ({
              id,
              version,
            })),
          };
          return {
            request: () => agent.post(path, body),
            check: async (answer) => {
              const last = answer.status === 200 ? answer : await pressAgain(agent, path, body, answer);
              expect(await goOn(agent, uid, last), `${answer.body} ${last.body}`).toBe('/index');
              expect((await agent.get('/api/account')).json().email).toBe(identifier);
            },
          };
        });
        expect(outages).toBeGreaterThan(3);
      },
      LIMIT_MS,
    );

    test(
      'costs who signs in by a code no second one',
      async () => {
        const { identifier } = await world.signUp();
        const { outages } = await loseEach(loss, async () => {
          const agent = world.browser();
          const uid = world.interactionOf((await agent.navigate('/login')).url);
          const code = await world.receiveCode(agent, identifier, 'login');
          const path = `/interaction/${uid}/login`;
          return {
            request: () => agent.post(path, { identifier, code }),
            check: async (answer) => {
              const last =
                answer.status === 200 ? answer : await pressAgain(agent, path, { identifier, code }, answer);
              expect(await goOn(agent, uid, last), `${answer.body} ${last.body}`).toBe('/index');
            },
          };
        });
        expect(outages).toBeGreaterThan(3);
      },
      LIMIT_MS,
    );

    test(
      'costs who recovers an account no second code',
      async () => {
        const { identifier } = await world.signUp();
        await loseEach(loss, async () => {
          const agent = world.browser();
          await agent.get('/login');
          const code = await world.receiveCode(agent, identifier, 'recover');
          return {
            request: () => agent.post('/api/recovery/verify', { identifier, code }),
            check: async (answer) => {
              const verified =
                answer.status === 200 || answer.json().error.ticket
                  ? answer
                  : await agent.post('/api/recovery/verify', { identifier, code });
              const ticket = verified.json().ticket ?? verified.json().error?.ticket;
              const password = `${PASSWORD}9`;
              const set = await agent.post('/api/recovery/password', { ticket, password });
              // The ticket may be lost, and then the code is still valid.
              if (set.status === 401)
                expect((await agent.post('/api/recovery/verify', { identifier, code })).status).toBe(200);
              else expect([set.status, set.body]).toEqual([204, '']);
            },
          };
        });
      },
      LIMIT_MS,
    );
  },
);

test('a spent ticket opens nothing in another interaction or browser', async () => {
  const { identifier } = await world.signUp();
  const agent = world.browser();
  const start = async () => world.interactionOf((await agent.navigate('/login')).url);
  const code = await world.receiveCode(agent, identifier, 'login');
  const uid = await start();
  const { ticket } = (
    await agent.post(`/interaction/${uid}/verify`, { identifier, code, purpose: 'login' })
  ).json();
  expect((await agent.post(`/interaction/${uid}/login`, { identifier, ticket })).status).toBe(200);
  const other = await start();
  const answer = await agent.post(`/interaction/${other}/login`, { identifier, ticket });
  expect([answer.status, answer.json().error.code]).toEqual([401, 'ticket_invalid']);
});
