import type { UserAgent } from '../support/user-agent.ts';
import type { World } from '../support/world.ts';
import { answer, type RegisteredApp } from './authorization.ts';

export const LIGHTS = 'https://lights.example/v1';
export const SCENES = 'https://scenes.example/';
/** An API with opaque tokens. */
export const METERS = 'urn:example:meters';
/** An API of another brand. */
export const ABROAD = 'https://abroad.example/';

/** Entries of RESOURCES_FILE. */
export const resources = [
  {
    identifier: LIGHTS,
    name: 'Lights',
    scopes: [
      { name: 'read', description: { en: 'see your lights', ru: 'видеть ваши лампы' } },
      { name: 'switch', description: { en: 'switch your lights' } },
    ],
  },
  {
    identifier: SCENES,
    name: 'Scenes',
    scopes: [{ name: 'read' }, { name: 'play' }],
    access_token_ttl: 3600,
    access_token_signing_alg: 'RS256',
  },
  { identifier: METERS, name: 'Meters', scopes: [{ name: 'meter' }], access_token_format: 'opaque' },
  { identifier: ABROAD, name: 'Abroad', brand: 'borealis', scopes: [{ name: 'read' }] },
];

export interface ResourceRequest {
  app?: RegisteredApp;
  browser?: UserAgent;
  scope?: string;
  resource?: readonly string[];
}

/** Requests for the resources of the world; `agent` sends them by default. */
export const createRequests = (world: World, agent: UserAgent) => {
  /** Sends an authorization request, and returns where the browser stops. */
  const ask = async ({ scope = 'openid read', resource = [LIGHTS], ...options }: ResourceRequest) => {
    const app = options.app ?? (await world.registerApp());
    const { url, checks } = await app.rp.authorizationUrl({ scope });
    for (const identifier of resource) url.searchParams.append('resource', identifier);
    return { app, checks, arrived: await (options.browser ?? agent).navigate(url) };
  };

  /** Sends an authorization request and approves it; returns the response to the app. */
  const approve = async (request: ResourceRequest, body: { scopes?: string[] } = {}) => {
    const { app, checks, arrived } = await ask(request);
    const uid = world.interactionOf(arrived.url);
    const { url } = await answer(request.browser ?? agent, `/interaction/${uid}/consent`, body);
    const exchange = (parameters?: Record<string, string>) => app.rp.exchange(url, checks, parameters);
    return { app, checks, callback: url, exchange };
  };

  return { ask, approve };
};

/** The error of a response, or `none`. */
export const errorOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: { error?: string; cause?: { parameters?: { error?: string } }[] }) =>
      error.error ?? error.cause?.[0]?.parameters?.error ?? String(error),
  );
