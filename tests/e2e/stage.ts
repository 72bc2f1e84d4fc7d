import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import type { RelyingParty } from '../support/relying-party.ts';
import type { UserAgent } from '../support/user-agent.ts';
import type { WorldOptions } from '../support/world.ts';

/** The data of the screens: a person with two sessions and a linked app, and an app without a link. */
export interface Stage {
  world: BrowserWorld;
  person: UserAgent;
  linkedApp: RelyingParty;
  newApp: RelyingParty;
}

export const createStage = async (options: WorldOptions = {}): Promise<Stage> => {
  const world = await createBrowserWorld(options);
  const { agent, identifier } = await world.signUp();
  await world.signIn(identifier);
  const linked = await world.registerApp({
    client_name: 'Home Hub',
    policy_uri: 'https://app.example/privacy',
  });
  const fresh = await world.registerApp({
    client_name: 'Lamp Studio',
    policy_uri: 'https://app.example/privacy',
  });
  await world.link(agent, linked.rp);
  return { world, person: agent, linkedApp: linked.rp, newApp: fresh.rp };
};

/** Gives a browser the session of `agent` at `origin`. */
export const signInAs = async (context: BrowserContext, agent: UserAgent, origin: string): Promise<void> => {
  const cookies = await agent.jar.getCookies(origin);
  await context.addCookies(cookies.map(({ key, value }) => ({ name: key, value, url: origin })));
};

/** A page in a browser of its own, signed in as the stage's person. */
export const openSignedIn = async (
  { world, person }: Stage,
  options: BrowserContextOptions = {},
): Promise<Page> => {
  const page = await world.openPage(options);
  await signInAs(page.context(), person, world.origin);
  return page;
};
