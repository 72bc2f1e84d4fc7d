import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outcomeOf } from '../races/rounds.ts';
import { totpCode, turnOnTotp } from '../support/totp.ts';
import { createUserAgent } from '../support/user-agent.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';

const STEP_MS = 30_000;
const now = () => new Date(Math.floor(Date.now() / STEP_MS) * STEP_MS + STEP_MS / 2);

describe('a desk with an origin of its own', () => {
  let world: World;
  let desk: string;
  const agentAt = () => createUserAgent({ origin: desk, ports: [world.config.port] });

  beforeAll(async () => {
    world = await createWorld({ env: { DESK_ORIGIN: 'http://desk.localhost:3999' } });
    desk = 'http://desk.localhost:3999';
  });
  afterAll(() => world.close());

  test('DK8: is there alone: the brand has none, and the origin has nothing else', async () => {
    const { agent, identifier } = await world.signUp();
    const { secret } = await turnOnTotp(agent, now());
    await world.allowStaff(identifier, 'support');
    expect(outcomeOf(await agent.get('/api/desk'))).toBe('not_found');
    const at = agentAt();
    expect(outcomeOf(await at.get('/api/desk'))).toBe('not_signed_in');
    for (const path of ['/api/sessions', '/api/clients', '/oauth/jwks', '/.well-known/openid-configuration'])
      expect((await at.get(path)).status, path).toBe(404);
    expect((await at.get('/register')).status).toBe(404);

    // Staff sign in there as anywhere, with the account that they have.
    const { url } = await at.navigate('/sign-in?return_to=/desk');
    const uid = url.searchParams.get('interaction');
    const first = await at.post(`/interaction/${uid}/login`, { identifier, password: PASSWORD });
    expect(outcomeOf(first)).toBe('second_factor_required');
    const passed = await at.post(`/interaction/${uid}/second-factor`, { totp: totpCode(secret, now()) });
    expect(passed.status, passed.body).toBe(200);
    await at.navigate(passed.json().returnTo);
    expect((await at.post('/api/desk/session')).json()).toMatchObject({ role: 'support' });
    expect(outcomeOf(await at.get('/api/desk/search?q=nobody'))).toBe(200);
    expect(outcomeOf(await agent.get('/api/desk/search?q=nobody'))).toBe('not_found');
  });

  test('DK8: no other spelling of a path leads around that', async () => {
    const { agent, identifier } = await world.signUp();
    await world.allowStaff(identifier, 'support');
    for (const path of ['/api/Desk', '/API/desk', '/api/desk/', '/Desk', '/desk/'])
      expect((await agent.get(path)).status, path).toBe(404);
    const at = agentAt();
    const { url } = await at.navigate('/sign-in?return_to=/desk');
    const uid = url.searchParams.get('interaction');
    for (const step of ['register', 'register/', 'Register', 'consent', 'Consent', 'provider/google'])
      expect((await at.post(`/interaction/${uid}/${step}`, {})).status, step).toBe(404);
  });
});
