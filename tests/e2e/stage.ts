import { sql } from 'kysely';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { createRelyingParty, type RelyingParty } from '../support/relying-party.ts';
import type { UserAgent } from '../support/user-agent.ts';
import type { WorldOptions } from '../support/world.ts';

/** The data of the screens: a person with two sessions and a linked app, and an app without a link. */
export interface Stage {
  world: BrowserWorld;
  person: UserAgent;
  /** The person's e-mail address. */
  identifier: string;
  linkedApp: RelyingParty;
  newApp: RelyingParty;
  /** An app that describes itself. */
  assistant: RelyingParty;
}

const ASSISTANT = 'https://assistant.example/oauth/client.json';

/** An assistant whose document the server has read. It is answered on the device. */
const describeAssistant = async ({ db, origin }: BrowserWorld): Promise<RelyingParty> => {
  const redirectUri = 'http://127.0.0.1/callback';
  const metadata = {
    client_name: 'Lamp Assistant',
    redirect_uris: [redirectUri],
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  };
  await sql`insert into client (id, metadata, source) values (${ASSISTANT}, ${JSON.stringify(metadata)}, 'document')`.execute(
    db,
  );
  await sql`insert into client_document (client_id, due_at) values (${ASSISTANT}, now() + interval '1 day')`.execute(
    db,
  );
  return createRelyingParty({ issuer: origin, clientId: ASSISTANT, redirectUri });
};

export const createStage = async (options: WorldOptions = {}): Promise<Stage> => {
  const env = { CLIENT_DOCUMENTS: new URL(ASSISTANT).host, ...options.env };
  const world = await createBrowserWorld({ ...options, env });
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
  return {
    world,
    person: agent,
    identifier,
    linkedApp: linked.rp,
    newApp: fresh.rp,
    assistant: await describeAssistant(world),
  };
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
