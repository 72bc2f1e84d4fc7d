import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import type { World } from '../support/world.ts';

export type IdentifierKind = 'phone' | 'email';

let numbers = 0;
/** A phone number that no other test uses. */
export const nextPhone = (): string => {
  numbers += 1;
  return `+86137${String(numbers).padStart(8, '0')}`;
};

/** Steps up by a code to an identifier of the account. */
export const proveByCode = async (
  world: Pick<World, 'receiveCode'>,
  agent: UserAgent,
  identifier: string,
): Promise<void> => {
  const code = await world.receiveCode(agent, identifier, 'step-up');
  const answer = await agent.post('/api/step-up', { identifier, code });
  expect(answer.status, answer.body).toBe(204);
};

export const patchAccount = (agent: UserAgent, json: unknown): Promise<Answer> =>
  agent.request('PATCH', '/api/account', { json });

export const putIdentifier = (
  agent: UserAgent,
  kind: IdentifierKind,
  identifier: string,
  code: string,
): Promise<Answer> => agent.request('PUT', `/api/account/${kind}`, { json: { [kind]: identifier, code } });

export const putPassword = (agent: UserAgent, password: string, more: object = {}): Promise<Answer> =>
  agent.request('PUT', '/api/account/password', { json: { password, ...more } });

export const readAccount = async (agent: UserAgent) => (await agent.get('/api/account')).json();

/** Binds an identifier with a code sent to it, and returns the account. */
export const bind = async (
  world: Pick<World, 'receiveCode'>,
  agent: UserAgent,
  kind: IdentifierKind,
  identifier: string,
) => {
  const code = await world.receiveCode(agent, identifier, 'bind');
  const answer = await putIdentifier(agent, kind, identifier, code);
  expect(answer.status, answer.body).toBe(200);
  return answer.json();
};

/** The token of the last link in a message. */
export const undoTokenTo = async (world: Pick<World, 'messages'>, to: string): Promise<string> => {
  const told = (await world.messages()).filter((message) => message.to === to).map(({ text }) => text);
  const token = told.map((text) => /\/undo#([\w-]{43})(?![\w-])/.exec(text)?.[1]).findLast(Boolean);
  if (!token) throw new Error(`no link went to ${to}: ${told.join('\n')}`);
  return token;
};

/** Makes the waiting change due. */
export const passTheWait = ({ db }: Pick<World, 'db'>) =>
  db.updateTable('identifier_change').set({ due_at: sql<Date>`now()` }).execute();

export const otherCode = (code: string): string => (code === '000000' ? '000001' : '000000');
