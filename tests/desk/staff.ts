import type { StaffRole } from '@candela/contract';

import { totpCode, turnOnTotp } from '../support/totp.ts';
import type { UserAgent } from '../support/user-agent.ts';
import type { World } from '../support/world.ts';

/** A member of staff at an open desk. */
export interface AtDesk {
  agent: UserAgent;
  id: string;
  identifier: string;
  secret: string;
}

export const idOf = async (agent: UserAgent): Promise<string> => (await agent.get('/api/account')).json().id;

/** Signs somebody up, with an authenticator app and a role, and proves the app to the session. */
export const hireStaff = async (
  world: Pick<World, 'signUp' | 'allowStaff'>,
  role: StaffRole,
  now?: () => Date,
): Promise<AtDesk> => {
  const { agent, identifier } = await world.signUp();
  const { secret } = await turnOnTotp(agent, now?.());
  await world.allowStaff(identifier, role);
  await proveTotp(agent, secret, now?.() ?? new Date());
  const opened = await agent.post('/api/desk/session');
  if (opened.status !== 200) throw new Error(`${opened.status} ${opened.body}`);
  return { agent, identifier, secret, id: await idOf(agent) };
};

/** Proves the authenticator app, by a code that was not used. */
export const proveTotp = async (agent: UserAgent, secret: string, at: Date, steps = 0): Promise<void> => {
  const answer = await agent.post('/api/step-up', { totp: totpCode(secret, at, steps) });
  if (answer.status !== 204) throw new Error(`${answer.status} ${answer.body}`);
};

/** A person with a phone, and the id of the account. */
export const customer = async (world: World) => {
  const { agent, identifier } = await world.signUp();
  return { agent, identifier, id: await idOf(agent) };
};
