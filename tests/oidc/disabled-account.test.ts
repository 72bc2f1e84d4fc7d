import { createAccountStatusService } from '@candela/server/account-status';
import { recordEvents } from '@candela/server/testing/recorded-events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';
import { isActive, refusal } from './authorization.ts';
import { linkApp } from './refresh-link.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const operator = () => {
  const events = recordEvents();
  return { events, ...createAccountStatusService({ db: world.db, events }) };
};

const userinfo = async (agent: UserAgent, token: string) =>
  (await agent.get('/oauth/userinfo', { headers: { authorization: `Bearer ${token}` } })).status;

/** The refusal of a sign-in by the right password. */
const signIn = async (identifier: string) => {
  const agent = world.browser();
  const { url } = await agent.navigate('/login');
  return refusal(
    await agent.post(`/interaction/${world.interactionOf(url)}/login`, { identifier, password: PASSWORD }),
  );
};

/** A person with a home that is linked and a web app that is signed in. */
const settle = async () => {
  const { agent, identifier } = await world.signUp();
  const link = await linkApp(world, agent, await world.registerApp());
  const web = await world.registerApp({ grant_types: ['authorization_code'] });
  const bound = (await world.link(agent, web.rp)).tokens.access_token;
  return { agent, identifier, link, web, bound };
};

describe('an account that an operator disables', () => {
  test('PL22: is signed out everywhere, and nobody gets in; its links wait and live on', async () => {
    const { agent, identifier, link, web, bound } = await settle();
    const { disable, enable, events } = operator();
    const disabled = await disable(identifier, { reason: 'the phone was stolen', endLinks: false });
    expect(disabled).toMatchObject({ sessions: 1, links: 'suspended' });

    expect(refusal(await agent.get('/api/account'))).toEqual([401, 'not_signed_in']);
    expect(await signIn(identifier)).toEqual([403, 'account_disabled']);
    expect(await isActive(web, bound)).toBe(false);
    expect(await isActive(link.app, link.tokens.access_token)).toBe(false);
    expect(await isActive(link.app, link.first)).toBe(false);
    expect(await userinfo(agent, link.tokens.access_token)).toBe(401);
    const refused = await link.requests.refresh(link.first);
    expect([refused.status, refused.json()]).toEqual([503, { error: 'temporarily_unavailable' }]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await link.isAlive()).toBe(true);

    const { id } = disabled;
    expect(await enable(id)).toEqual({ id, changed: true });
    expect(await enable(id)).toEqual({ id, changed: false });
    expect(await isActive(web, bound)).toBe(false);
    expect(await isActive(link.app, link.tokens.access_token)).toBe(true);
    expect((await link.requests.refresh(link.first)).status).toBe(200);
    await world.signIn(identifier);
    expect(events.names()).toEqual(['account.disabled', 'account.enabled']);
    expect(JSON.stringify(events.all)).not.toMatch(/stolen|@/);
  });

  test('learns nothing by another client’s refresh token, and loses no link to one', async () => {
    const { identifier, link } = await settle();
    const { disable } = operator();
    const other = await linkApp(world, (await world.signUp()).agent, await world.registerApp());
    await disable(identifier, { reason: 'lost', endLinks: false });
    expect((await other.requests.refresh(link.first)).json()).toMatchObject({ error: 'invalid_grant' });
    expect((await link.requests.refresh('unknown')).json()).toMatchObject({ error: 'invalid_grant' });
    expect(await link.isAlive()).toBe(true);
  });

  test('loses its links where the operator ends them', async () => {
    const { identifier, link } = await settle();
    const { disable, enable } = operator();
    const { id } = await disable(identifier, { reason: 'lost', endLinks: true });
    await enable(id);
    expect((await link.requests.refresh(link.first)).json()).toMatchObject({ error: 'invalid_grant' });
    expect(await link.isAlive()).toBe(false);
  });

  test('is shown to support with what it holds, and without any secret', async () => {
    const { identifier } = await settle();
    const { disable, show, events } = operator();
    const shown = await show(identifier.toUpperCase());
    expect(shown).toMatchObject({
      identifiers: [{ kind: 'email', identifier: identifier }],
      status: 'active',
      sessions: 1,
      links: 1,
      otherAuthorizations: 1,
      waitingChanges: [],
    });
    expect(Date.now() - Number(shown.lastSignInAt)).toBeLessThan(60_000);
    expect(JSON.stringify(shown)).not.toMatch(/hash|\$argon|\$scrypt/);
    await disable(shown.id, { reason: ' asked for it ', endLinks: false });
    expect(await show(shown.id)).toMatchObject({
      status: 'disabled',
      disabledReason: 'asked for it',
      sessions: 0,
      links: 1,
      otherAuthorizations: 0,
    });
    expect(events.all[0]).toMatchObject({ event: 'account.shown', accountId: shown.id, actor: 'operator' });
  });

  test.each(['nobody@example.com', '+8613800138000', 'AAAAAAAAAAAAAAAAAAAAAA'])(
    'must be there: %s is not',
    async (named) => {
      await expect(operator().show(named)).rejects.toMatchObject({ code: 'account_not_found' });
    },
  );
});
