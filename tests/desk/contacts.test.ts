import { testDatabaseUrl } from '@candela/server/testing/databases';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outcomeOf } from '../races/rounds.ts';
import { untilLockWaits } from '../support/waiting-for-lock.ts';
import { createWorld, type World } from '../support/world.ts';
import { type AtDesk, customer, hireStaff } from './staff.ts';

const reason = 'The caller asked for it';
const STEP_MS = 30_000;
/** In the middle of a step, so that a code holds however long its test takes. */
const now = () => new Date(Math.floor(Date.now() / STEP_MS) * STEP_MS + STEP_MS / 2);

describe('contacts at the desk', () => {
  let world: World;
  let support: AtDesk;
  beforeAll(async () => {
    world = await createWorld({ env: { DESK_SHOWS_LOOKS: 'on' } });
    support = await hireStaff(world, 'support', now);
  });
  afterAll(() => world.close());

  const lastEntry = () =>
    world.db
      .selectFrom('staff_record')
      .select(['entry', 'action', 'account_id', 'subject'])
      .orderBy('entry', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
  const search = async (typed: string, by = support) =>
    (await by.agent.get(`/api/desk/search?q=${encodeURIComponent(typed)}`)).json();
  const contactsPath = (id: string) => `/api/desk/accounts/${id}/contacts`;
  const activityOf = async ({ agent }: Awaited<ReturnType<typeof customer>>) =>
    (await agent.get('/api/activity')).json().items.map(({ kind }: { kind: string }) => kind);

  test.each([
    '0171 2345678',
    '0171-2345678',
    '+49 (0)171 2345678',
    '+49 171 23456789012345',
    'ada@example',
    'Ada ada.lovelace@example.com',
    'ada.lovelace@exámple..com',
    'call 01712345678 now',
  ])('a search leaves no contact in the record, mistyped or not: %s', async (typed) => {
    await search(typed);
    const { subject } = await lastEntry();
    expect(subject).toContain('•');
    expect(subject).not.toMatch(/2345|lovelace|ada@/);
  });

  test('an account is found by its contact as it was copied, and the record names it, whatever else has its name', async () => {
    const ada = await customer(world);
    await world.registerApp({ client_name: ada.identifier });
    for (const typed of [
      ada.identifier,
      `mailto:${ada.identifier}`,
      `<${ada.identifier}>`,
      `\u202a${ada.identifier}\u202c`,
    ]) {
      const { items } = await search(typed);
      expect(items[0], typed).toMatchObject({ kind: 'account', id: ada.id });
      expect((await lastEntry()).account_id, typed).toBe(ada.id);
    }
    await search(ada.id);
    expect((await lastEntry()).subject).toBe(ada.id);
  });

  test('who reads a contact has looked, and the person sees it', async () => {
    const ada = await customer(world);
    expect(outcomeOf(await support.agent.post(contactsPath(ada.id), { reason }))).toBe(200);
    expect(await activityOf(ada)).toContain('staff_looked');
  });

  test.each([
    ['both', { identifier: 'ada@example.com', reason }, 'invalid_request', 'invalid_request'],
    ['neither', {}, 'identifier_blank', 'reason_blank'],
  ])(
    'a contact is shown for what the caller told or for a reason: %s names the two',
    async (_, body, told, why) => {
      const ada = await customer(world);
      const answer = await support.agent.post(contactsPath(ada.id), body);
      expect(answer.status).toBe(400);
      expect(answer.json().error).toMatchObject({
        code: 'invalid_request',
        fields: { identifier: told, reason: why },
      });
    },
  );

  test('who is a viewer by now reads no contact that was shown before', async () => {
    const ada = await customer(world);
    const agent = await hireStaff(world, 'support', now);
    await agent.agent.post(contactsPath(ada.id), { reason });
    const look = async () => (await agent.agent.get(`/api/desk/accounts/${ada.id}`)).json().contacts[0];
    expect((await look()).identifier).toBe(ada.identifier);
    await world.allowStaff(agent.identifier, 'viewer');
    expect((await look()).identifier).toBeUndefined();
  });

  test.skipIf(!testDatabaseUrl).each([
    { change: 'taken away', outcome: 'not_found' },
    { change: 'lowered', outcome: 'role_insufficient' },
  ])('a role that is $change while a request waits counts at once', async ({ change, outcome }) => {
    const ada = await customer(world);
    for (const [path, body] of [
      [contactsPath(ada.id), { reason }],
      [`/api/desk/accounts/${ada.id}/caller`, { way: 'code', contact: 'email' }],
    ] as const) {
      const agent = await hireStaff(world, 'support', now);
      const before = (await world.messages()).length;
      const answer = await world.db.transaction().execute(async (trx) => {
        await sql`select from account where id = ${ada.id} for update`.execute(trx);
        const asked = agent.agent.post(path, body);
        // It waits for the account.
        await untilLockWaits(world.db);
        const staff = world.db.updateTable('staff').set({ role: 'viewer' });
        if (change === 'lowered') await staff.where('account_id', '=', agent.id).execute();
        else await world.db.deleteFrom('staff').where('account_id', '=', agent.id).execute();
        return { asked };
      });
      expect(outcomeOf(await answer.asked), path).toBe(outcome);
      expect(await world.messages()).toHaveLength(before);
    }
  });

  test('a page of another site loads no answer of the desk, and so looks in nobody’s name', async () => {
    const ada = await customer(world);
    const { entry } = await lastEntry();
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    const answer = await support.agent.request('GET', `/api/desk/accounts/${ada.id}`, { headers });
    expect(outcomeOf(answer)).toBe('cross_site');
    expect((await lastEntry()).entry).toBe(entry);
  });

  test('a query with what no database holds is refused', async () => {
    const operator = await hireStaff(world, 'operator', now);
    for (const path of ['record?account=%00', 'record?staff=%00', 'record/file?account=%00'])
      expect(outcomeOf(await operator.agent.get(`/api/desk/${path}`)), path).toBe('invalid_request');
  });
});
