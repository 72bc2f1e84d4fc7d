import {
  brandWordsApi,
  deskApi,
  deskServiceApi,
  type Endpoint,
  mayAs,
  type StaffRole,
  staffRoles,
} from '@candela/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathOf } from '../api/routes.ts';
import { outcomeOf } from '../races/rounds.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { type AtDesk, customer, hireStaff } from './staff.ts';

const api = { ...deskApi, ...deskServiceApi, ...brandWordsApi };
const STEP_MS = 30_000;

/** What each endpoint takes: the least role; an open desk, unless it is `closed`; a fresh proof, where it is `fresh`. */
const table: Readonly<Record<keyof typeof api, readonly [StaffRole, ('closed' | 'fresh')?]>> = {
  getDesk: ['viewer', 'closed'],
  openDesk: ['viewer', 'closed'],
  closeDesk: ['viewer', 'closed'],
  searchDesk: ['viewer'],
  getDeskAccount: ['viewer'],
  listDeskActivity: ['viewer'],
  listDeskMessages: ['viewer'],
  revealContacts: ['support'],
  startCallerCheck: ['support'],
  answerCallerCheck: ['support'],
  deskEndSessions: ['support', 'fresh'],
  deskLiftLimits: ['support', 'fresh'],
  deskResendRecovery: ['support', 'fresh'],
  deskCheckContact: ['support', 'fresh'],
  deskRemoveFactor: ['support', 'fresh'],
  deskStopRemoval: ['support', 'fresh'],
  deskDisable: ['support', 'fresh'],
  deskEnable: ['operator', 'fresh'],
  deskBeginLeaving: ['support', 'fresh'],
  deskKeep: ['support', 'fresh'],
  deskExport: ['support', 'fresh'],
  deskWithdrawAuthorization: ['support', 'fresh'],
  deskNote: ['support', 'fresh'],
  listApprovals: ['operator'],
  answerApproval: ['operator', 'fresh'],
  listRecord: ['operator'],
  downloadRecord: ['operator'],
  getDeskService: ['viewer'],
  listDeskClients: ['viewer'],
  getDeskClient: ['viewer'],
  listDeskClientErrors: ['viewer'],
  listDeskClientHistory: ['viewer'],
  disableDeskClient: ['operator', 'fresh'],
  enableDeskClient: ['operator', 'fresh'],
  listDeveloperRequests: ['operator'],
  answerDeveloperRequest: ['operator', 'fresh'],
  listDeskBrands: ['operator'],
  getDeskBrand: ['operator'],
  changeBrandWords: ['operator', 'fresh'],
  listBrandWordsHistory: ['operator'],
  restoreBrandWords: ['operator', 'fresh'],
};

const rows = Object.entries(table).map(
  ([name, [role, takes]]) => [name, api[name as keyof typeof api] as Endpoint, role, takes] as const,
);

/** What an endpoint is asked with. */
const queries: Partial<Record<keyof typeof api, string>> = {
  searchDesk: '?q=nobody',
  getDeskBrand: '?locale=en',
};

/** What is looked at; whoever reads on looks again. The list of brands has their names alone. */
const looks = [
  ...rows
    .filter(([name, { method }, , takes]) => method === 'GET' && !takes && name !== 'listDeskBrands')
    .map(([name]) => [name, queries[name as keyof typeof api] ?? ''] as const),
  ['listRecord', '?after=2'],
  ['listDeskClients', `?after=${Buffer.from('["2026-01-01 00:00:00+00","x"]').toString('base64url')}`],
] as const;

/** Refusals of the guard. Whoever passes it is refused by what the body lacks, or answered. */
const guarded = ['not_signed_in', 'not_found', 'role_insufficient', 'desk_closed', 'step_up_required'];

describe('who may do what at the desk', () => {
  let world: World;
  let shiftSeconds = 0;
  // In the middle of a step of the app, where the clock stands.
  const base = Math.floor(Date.now() / STEP_MS) * STEP_MS + STEP_MS / 2;
  const now = () => new Date(base + shiftSeconds * 1000);
  let id: string;
  let person: UserAgent;
  const staff = {} as Record<StaffRole, AtDesk>;
  let closed: AtDesk;

  const ask = async (agent: UserAgent, endpoint: Endpoint, query = '') => {
    const json = endpoint.body ? { json: {} } : undefined;
    const path = pathOf(endpoint, { id, brand: 'aurelia' });
    return outcomeOf(await agent.request(endpoint.method, `${path}${query}`, json));
  };
  const passes = async (agent: UserAgent, endpoint: Endpoint) =>
    expect(guarded).not.toContain(await ask(agent, endpoint));

  beforeAll(async () => {
    world = await createWorld({ now });
    person = (await customer(world)).agent;
    id = (await customer(world)).id;
    // An app of the same id, for the endpoints of apps.
    await world.registerApp({ client_id: id, token_endpoint_auth_method: 'none' });
    // Without staff there is no desk, for whomever.
    for (const [, endpoint] of rows) {
      expect(await ask(person, endpoint)).toBe('not_found');
      expect(await ask(world.browser(), endpoint)).toBe('not_found');
    }
    for (const role of staffRoles) staff[role] = await hireStaff(world, role, now);
    closed = await hireStaff(world, 'operator', now);
    expect((await closed.agent.delete('/api/desk/session')).status).toBe(204);
  });
  afterAll(() => world.close());

  test.each(rows)('%s: nobody, and whoever is no staff, gets nothing', async (_name, endpoint) => {
    expect(await ask(world.browser(), endpoint)).toBe('not_signed_in');
    expect(await ask(person, endpoint)).toBe('not_found');
  });

  test.each(rows)('DK1: %s takes the role of its row', async (name, endpoint, least) => {
    for (const role of staffRoles) {
      if (!mayAs(role, least)) expect(await ask(staff[role].agent, endpoint)).toBe('role_insufficient');
      // Whoever closes the desk closes it for the other rows.
      else if (name !== 'closeDesk') await passes(staff[role].agent, endpoint);
    }
  });

  test.each(looks)('DK5: %s%s leaves an entry of the record', async (name, query) => {
    const lastEntry = async () => {
      const entries = world.db.selectFrom('staff_record').select(['entry', 'actor_account as by']);
      const { entry, by } = await entries.orderBy('entry', 'desc').executeTakeFirstOrThrow();
      return { entry: Number(entry), by };
    };
    const { entry } = await lastEntry();
    const { agent, id: by } = staff.operator;
    expect(await ask(agent, api[name as keyof typeof api], query)).toBe(200);
    expect(await lastEntry()).toEqual({ entry: entry + 1, by });
  });

  test.each(rows.filter(([, , , takes]) => takes !== 'closed'))(
    '%s takes an open desk',
    async (_name, endpoint) => {
      expect(await ask(closed.agent, endpoint)).toBe('desk_closed');
    },
  );

  test.each(rows.filter(([, { method }]) => method !== 'GET'))(
    '%s is refused to a page of another site',
    async (_name, endpoint) => {
      const { agent } = staff.operator;
      const headers = { origin: 'https://evil.example' };
      const answer = await agent.request(endpoint.method, pathOf(endpoint, { id, brand: 'aurelia' }), {
        headers,
        json: {},
      });
      expect(outcomeOf(answer)).toBe('cross_site');
    },
  );

  test('what changes an account takes a proof of the last ten minutes; what is looked at takes none', async () => {
    const { agent } = staff.operator;
    shiftSeconds += 601;
    for (const [name, endpoint, , takes] of rows) {
      if (name === 'openDesk' || takes === 'fresh')
        expect(await ask(agent, endpoint), name).toBe('step_up_required');
      else if (name !== 'closeDesk') await passes(agent, endpoint);
    }
  });

  test('the desk closes after 30 minutes without use, and after 8 hours however it is used', async () => {
    const isOpen = async () => (await staff.support.agent.get('/api/desk')).json().open !== undefined;
    shiftSeconds += 15 * 60;
    expect(await ask(staff.viewer.agent, deskApi.searchDesk, queries.searchDesk)).toBe(200);
    shiftSeconds += 29 * 60;
    expect(await ask(staff.viewer.agent, deskApi.searchDesk, queries.searchDesk)).toBe(200);
    expect(await isOpen()).toBe(false);
    for (let used = 0; used < 20; used += 1) {
      shiftSeconds += 25 * 60;
      if ((await ask(staff.viewer.agent, deskApi.searchDesk, queries.searchDesk)) !== 200) break;
    }
    expect(await ask(staff.viewer.agent, deskApi.searchDesk, queries.searchDesk)).toBe('desk_closed');
  });

  test('a password alone opens no desk, and who has nothing stronger is told so', async () => {
    const { agent, identifier } = await world.signUp();
    await world.allowStaff(identifier, 'operator');
    expect((await agent.get('/api/desk')).json()).toMatchObject({ role: 'operator', acr: 'mfa' });
    expect(outcomeOf(await agent.post('/api/desk/session'))).toBe('factor_missing');
  });
});
