import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { start } from '../oidc/authorization.ts';
import type { OpenidProvider, PlayedPerson } from '../support/openid-provider.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { createWorld, type World, type WorldOptions } from '../support/world.ts';

/** Writes PROVIDERS_FILE with these entries. */
export const writeProviders = async (entries: readonly unknown[]): Promise<string> => {
  const path = join(await mkdtemp(join(tmpdir(), 'candela-providers-')), 'providers.json');
  await writeFile(path, JSON.stringify(entries));
  return path;
};

/** A world whose people may sign in with the providers of these entries. */
export const createDoorWorld = async (
  entries: readonly unknown[],
  {
    hosts,
    env,
    ...options
  }: Omit<WorldOptions, 'env'> & { hosts: readonly string[]; env?: Record<string, string> },
): Promise<World> =>
  createWorld({
    ...options,
    env: {
      PROVIDERS_FILE: await writeProviders(entries),
      PROVIDER_HOSTS: hosts.join(','),
      ...env,
    },
  });

export const locationOf = (answer: Answer, base: string): URL => {
  expect(answer.status, answer.body).toBe(303);
  return new URL(String(answer.headers.location), base);
};

/** Opens an authorization request in a browser, and goes to the provider from its page. */
export const goTo = async (
  world: World,
  {
    agent = world.browser(),
    provider = 'played',
    parameters = {},
  }: {
    agent?: UserAgent;
    provider?: string;
    parameters?: Record<string, string>;
  } = {},
) => {
  const started = await start(world, { agent, parameters });
  const answer = await agent.get(`/interaction/${started.uid}/provider/${provider}`);
  return { ...started, agent, authorization: locationOf(answer, world.origin) };
};

/** A person signs in at the played provider, and comes back. */
export const comeFrom = async (
  world: World,
  played: OpenidProvider,
  person: PlayedPerson,
  options: Parameters<typeof goTo>[1] = {},
) => {
  const way = await goTo(world, options);
  const arrived = await way.agent.navigate(played.signIn(way.authorization, person));
  return { ...way, arrived };
};

/** What a browser sends to agree to all documents. */
export const agreementsOf = async (world: Pick<World, 'details'>, agent: UserAgent, uid: string) => {
  const { agreements } = await world.details(agent, uid);
  return agreements.map(({ id, version }: { id: string; version: string }) => ({ id, version }));
};

/** Whoever came from the provider agrees, and registers. */
export const registerHere = async (world: World, agent: UserAgent, uid: string, more: object = {}) =>
  agent.post(`/interaction/${uid}/provider`, { agreements: await agreementsOf(world, agent, uid), ...more });

/** The subject of the account that a browser is signed in to. */
export const accountOf = async (agent: UserAgent): Promise<string> =>
  (await agent.get('/api/account')).json().id;
