import { expect } from 'vitest';
import type { Arrival, UserAgent } from '../support/user-agent.ts';
import type { World } from '../support/world.ts';

export type RegisteredApp = Awaited<ReturnType<World['registerApp']>>;
type Checks = Awaited<ReturnType<RegisteredApp['rp']['authorizationUrl']>>['checks'];

export interface Started {
  uid: string;
  /** The page that waits for the person. */
  path: string;
  checks: Checks;
  app: RegisteredApp;
}

export interface StartOptions {
  agent: UserAgent;
  parameters?: Record<string, string>;
  /** A new one where it is left out. */
  app?: RegisteredApp;
}

/** Opens an authorization request in the browser and says where it waits for the person. */
export const start = async (world: World, options: StartOptions): Promise<Started> => {
  const app = options.app ?? (await world.registerApp());
  const { url, checks } = await app.rp.authorizationUrl(options.parameters);
  const page = await options.agent.navigate(url);
  return { uid: world.interactionOf(page.url), path: page.url.pathname, checks, app };
};

/** Posts an answer that is accepted, and follows it as the SPA does. */
export const answer = async (agent: UserAgent, path: string, body?: unknown): Promise<Arrival> => {
  const accepted = await agent.post(path, body);
  expect(accepted.status, accepted.body).toBe(200);
  return agent.navigate(accepted.json().returnTo);
};

/** What the server tells the page about itself. */
export const bootOf = ({ answer: page }: Arrival) => {
  const json = /<script type="application\/json" id="boot">([^<]*)</.exec(page?.body ?? '')?.[1];
  if (!json) throw new Error(`no boot data in ${page?.body.slice(0, 300)}`);
  return JSON.parse(json);
};

/** Where the page that asks whether to sign out leads to who stays. */
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
  client: { id: string };
  scopes: string[];
}

/** What the person of this browser approved, or so far as it is `app`'s. */
export const approvalsOf = async (agent: UserAgent, app?: RegisteredApp): Promise<Approval[]> => {
  const { items } = (await agent.get('/api/authorizations')).json();
  return items.filter(({ client }: Approval) => !app || client.id === app.clientId);
};

/** Whether a token of the app is good. */
export const isActive = async ({ rp }: RegisteredApp, token: string | undefined): Promise<boolean> =>
  (await rp.introspect(token ?? '')).active;
