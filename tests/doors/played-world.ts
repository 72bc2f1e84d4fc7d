import type { Answer, Arrival, UserAgent } from '../support/user-agent.ts';
import { createWorld, freePort, type World, type WorldOptions } from '../support/world.ts';
import { registerHere, writeProviders } from './door-world.ts';
import type { PlayedProvider, Returned } from './played-provider.ts';

export interface PlayedWorldOptions extends Omit<WorldOptions, 'env'> {
  /** More of the environment of a server that listens on this port. */
  env?(port: number): Promise<Record<string, string>>;
  /** The entries of PROVIDERS_FILE. */
  entries: readonly Record<string, unknown>[];
  /** Begins the providers of the entries; they know the redirect URI of an id. */
  play(
    redirectUriOf: (id: string) => string,
  ): Promise<readonly Pick<PlayedProvider, 'host' | 'reach' | 'close'>[]>;
}

/** What became of a person who came back: the page, and who waits in the interaction. */
export interface CameBack {
  arrival: Arrival;
  /** The code of the page's query; undefined where nothing went wrong. */
  reason: string | undefined;
}

/** A browser on its way to a provider, from an interaction. */
export interface Leaving {
  agent: UserAgent;
  uid: string;
  /** Where the browser is sent. */
  to: URL;
}

/** Who a provider sends to: without cookies and from its own origin where it posts a form. */
const deliver = (agent: UserAgent, { url, form }: Returned): Promise<Answer> =>
  form
    ? agent.request('POST', url.href, {
        form,
        headers: { origin: 'https://provider.example', 'sec-fetch-site': 'cross-site', cookie: '' },
      })
    : agent.get(url.href);

export type PlayedWorld = Awaited<ReturnType<typeof createPlayedWorld>>;

/** The world with identity providers that are played on this machine. */
export const createPlayedWorld = async ({ entries, play, env, ...options }: PlayedWorldOptions) => {
  const port = await freePort();
  const played = await play((id) => `http://localhost:${port}/sign-in/${id}/callback`);
  const world: World = await createWorld({
    ...options,
    env: {
      PORT: String(port),
      PROVIDERS_FILE: await writeProviders(entries),
      PROVIDER_HOSTS: played.map(({ host }) => host).join(','),
      ...(await env?.(port)),
    },
    reachProvider: (address) => played.reduce((at, { reach }) => reach(at), address),
  });

  /** The browser on the page that offers the ways to sign in presses the button of a provider. */
  const leave = async (id: string, agent = world.browser()): Promise<Leaving> => {
    const { url } = await agent.navigate('/login');
    const uid = world.interactionOf(url);
    const { headers } = await agent.get(`/interaction/${uid}/provider/${id}`);
    return { agent, uid, to: new URL(String(headers.location), world.origin) };
  };

  const comeBack = async ({ agent }: Pick<Leaving, 'agent'>, returned: Returned): Promise<CameBack> => {
    const { status, headers, body } = await deliver(agent, returned);
    if (status !== 303) throw new Error(`${status} ${body.slice(0, 300)}`);
    const arrival = await agent.navigate(String(headers.location));
    return { arrival, reason: arrival.url.searchParams.get('reason') ?? undefined };
  };

  /** The whole way, with the person of `visit` in front of the provider. */
  const go = async (id: string, visit: (to: URL) => Promise<Returned>, agent = world.browser()) => {
    const leaving = await leave(id, agent);
    return { ...leaving, ...(await comeBack(leaving, await visit(leaving.to))) };
  };

  /** Who waits in the interaction, as its page is told. */
  const whoWaits = async ({ agent, uid }: Pick<Leaving, 'agent' | 'uid'>) =>
    (await world.details(agent, uid)).provider;

  /** What the provider calls who waits. */
  const waitingSubjects = async (): Promise<string[]> => {
    const rows = await world.db.selectFrom('provider_arrival').select('subject').execute();
    return rows.map(({ subject }) => subject);
  };

  /** "Agree and Register". */
  const agree = async (
    { agent, uid }: Pick<Leaving, 'agent' | 'uid'>,
    contact: Record<string, string> = {},
  ) => {
    const answer = await registerHere(world, agent, uid, contact);
    if (answer.status >= 400) throw new Error(`${answer.status} ${answer.body}`);
    return agent.navigate(answer.json().returnTo);
  };

  return {
    ...world,
    leave,
    comeBack,
    go,
    whoWaits,
    waitingSubjects,
    agree,
    /** The account of the session of a browser. */
    accountOf: async (agent: UserAgent) => (await agent.get('/api/account')).json(),
    close: async () => {
      await world.close();
      await Promise.all(played.map(({ close }) => close()));
    },
  };
};
