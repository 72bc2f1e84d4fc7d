import { expect } from 'vitest';
import type { Arrival, UserAgent } from '../support/user-agent.ts';
import type { World } from '../support/world.ts';

export type RegisteredApp = Awaited<ReturnType<World['registerApp']>>;
type Checks = Awaited<ReturnType<RegisteredApp['rp']['authorizationUrl']>>['checks'];

export interface Started {
  uid: string;
  /** The page that waits for the person’s answer. */
  path: string;
  checks: Checks;
  app: RegisteredApp;
}

export interface StartOptions {
  agent: UserAgent;
  parameters?: Record<string, string>;
  /** A new browser by default. */
  app?: RegisteredApp;
}

/** Opens an authorization request in the browser, and returns the interaction where it stops. */
export const start = async (world: World, options: StartOptions): Promise<Started> => {
  const app = options.app ?? (await world.registerApp());
  const { url, checks } = await app.rp.authorizationUrl(options.parameters);
  const page = await options.agent.navigate(url);
  return { uid: world.interactionOf(page.url), path: page.url.pathname, checks, app };
};

/** Posts an answer that is accepted, and follows the redirect as the SPA does. */
export const answer = async (agent: UserAgent, path: string, body?: unknown): Promise<Arrival> => {
  const accepted = await agent.post(path, body);
  expect(accepted.status, accepted.body).toBe(200);
  return agent.navigate(accepted.json().returnTo);
};

/** The details of the interaction, as the server sends them to its page. */
export const bootOf = ({ answer: page }: Arrival) => {
  const json = /<script type="application\/json" id="boot">([^<]*)</.exec(page?.body ?? '')?.[1];
  if (!json) throw new Error(`no boot data in ${page?.body.slice(0, 300)}`);
  return JSON.parse(json);
};

/** The address to which the sign-out page leads a person who stays signed in. */
export const wayToStay = ({ answer: page }: Arrival): string => {
  const href = /<a class="button" href="([^"]*)">Stay signed in</.exec(page?.body ?? '')?.[1];
  if (!href) throw new Error(`no way to stay in ${page?.body.slice(0, 500)}`);
  return href;
};

/** Status and error code of a refusal. */
export const refusal = ({ status, json }: { status: number; json: () => { error: { code: string } } }) => [
  status,
  json().error.code,
];

export interface Approval {
  id: string;
  createdAt: string;
  client: { id: string };
  scopes: string[];
}

/** The authorizations of this browser’s person; with `app`, only the app’s. */
export const approvalsOf = async (agent: UserAgent, app?: RegisteredApp): Promise<Approval[]> => {
  const { items } = (await agent.get('/api/authorizations')).json();
  return items.filter(({ client }: Approval) => !app || client.id === app.clientId);
};

/** Whether introspection reports the app’s token as active. */
export const isActive = async ({ rp }: RegisteredApp, token: string | undefined): Promise<boolean> =>
  (await rp.introspect(token ?? '')).active;
