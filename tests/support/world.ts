import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StaffRole } from '@candela/contract';
import { createApp } from '@candela/server';
import { type Config, readConfig } from '@candela/server/config';
import type { Connection } from '@candela/server/db/connect';
import { createLogger, type Logger } from '@candela/server/logger';
import type { TokenDraft } from '@candela/server/registration-token';
import { createStaffService } from '@candela/server/staff';
import { sweep } from '@candela/server/sweep';
import { openTestDatabase } from '@candela/server/testing/databases';
import { giveSigningKeys } from '@candela/server/testing/signing-keys';
import { createRelyingParty, type RelyingParty, type RelyingPartyOptions } from './relying-party.ts';
import { type Answer, createUserAgent, type UserAgent, type UserAgentOptions } from './user-agent.ts';

export const webDist = new URL('../../apps/web/dist', import.meta.url).pathname;

export const PASSWORD = 'moonlight77';

/** Ports below those of outgoing connections, which could otherwise take a port between its choice and its use. */
const PORTS = { from: 11_000, to: 32_768 };

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) return port;
  }
};

export interface SentMessage {
  at: string;
  channel: 'sms' | 'email';
  to: string;
  locale: string;
  purpose: string;
  code?: string;
  text: string;
}

/** A world served by the processes that listen on `ports`. */
export interface Place {
  origin: string;
  ports: readonly number[];
  dataDirs: readonly string[];
  /** The ports speak TLS. */
  tls?: boolean;
  registerClients(entries: readonly Record<string, unknown>[]): Promise<unknown>;
}

const readOutbox = async (dataDirs: readonly string[]): Promise<SentMessage[]> => {
  const files = await Promise.all(
    dataDirs.map((dataDir) => readFile(join(dataDir, 'outbox.jsonl'), 'utf8').catch(() => '')),
  );
  return files
    .flatMap((text) => text.split('\n').filter(Boolean))
    .map((line) => JSON.parse(line) as SentMessage)
    .sort((a, b) => a.at.localeCompare(b.at));
};

const interactionOf = (url: URL): string => {
  const uid = url.searchParams.get('interaction');
  if (!uid) throw new Error(`no interaction at ${url.href}`);
  return uid;
};

const expectOk = (answer: Answer): Answer => {
  if (answer.status >= 400) throw new Error(`${answer.status} ${answer.body.slice(0, 500)}`);
  return answer;
};

/** The actions of people and apps over a running server. */
export const createVerbs = (place: Place) => {
  const { origin, ports } = place;

  const browser = (options: Partial<UserAgentOptions> = {}): UserAgent =>
    createUserAgent({ origin, ports, tls: place.tls, ...options });

  const messages = () => readOutbox(place.dataDirs);
  const lastMessageTo = async (
    to: string,
    is: (message: SentMessage) => boolean = () => true,
  ): Promise<SentMessage> => {
    const found = (await messages()).findLast((message) => message.to === to && is(message));
    if (!found) throw new Error(`no message to ${to}`);
    return found;
  };

  /** Sends a code to `identifier` and reads it from the outbox; `to` is the canonical form of the identifier. */
  const receiveCode = async (
    agent: UserAgent,
    identifier: string,
    purpose: string,
    to = identifier,
  ): Promise<string> => {
    expectOk(await agent.post('/api/codes', { identifier, purpose }));
    // A notice to the same person may be sent at the same moment.
    const { code = '' } = await lastMessageTo(to, (message) => message.code !== undefined);
    return code;
  };

  const details = async (agent: UserAgent, uid: string) =>
    (await agent.get(`/interaction/${uid}/details`)).json();

  /** Registers inside the interaction and continues to the next page, or to the app. */
  const register = async (
    agent: UserAgent,
    uid: string,
    identifier: string,
    password = PASSWORD,
    to = identifier,
  ) => {
    const code = await receiveCode(agent, identifier, 'register', to);
    const { agreements } = await details(agent, uid);
    const accepted = agreements.map(({ id, version }: { id: string; version: string }) => ({ id, version }));
    const answer = expectOk(
      await agent.post(`/interaction/${uid}/register`, { identifier, code, password, agreements: accepted }),
    );
    return agent.navigate(answer.json().returnTo);
  };

  const login = async (agent: UserAgent, uid: string, identifier: string, password = PASSWORD) => {
    const answer = expectOk(await agent.post(`/interaction/${uid}/login`, { identifier, password }));
    return agent.navigate(answer.json().returnTo);
  };

  const approve = async (agent: UserAgent, uid: string) => {
    const answer = expectOk(await agent.post(`/interaction/${uid}/consent`, {}));
    return agent.navigate(answer.json().returnTo);
  };

  /** A new person in the portal: registered and signed in, in a new browser. */
  const signUp = async (identifier = `${randomBytes(6).toString('hex')}@example.com`, agent = browser()) => {
    const { url } = await agent.navigate('/register');
    await register(agent, interactionOf(url), identifier);
    return { agent, identifier };
  };

  /** Signs in to the portal with a password. */
  const signIn = async (identifier: string, agent = browser()) => {
    const { url } = await agent.navigate('/login');
    await login(agent, interactionOf(url), identifier);
    return { agent, identifier };
  };

  /** A registered app and its relying party; `metadata` adds to or overrides the usual metadata. */
  const registerApp = async (
    metadata: Record<string, unknown> = {},
    options: Partial<RelyingPartyOptions> = {},
  ): Promise<{ clientId: string; clientSecret: string; redirectUri: string; rp: RelyingParty }> => {
    const clientId = `app-${randomBytes(4).toString('hex')}`;
    const clientSecret = randomBytes(24).toString('base64url');
    const redirectUri = 'https://app.example/callback';
    const isPublic = metadata.token_endpoint_auth_method === 'none';
    await place.registerClients([
      {
        client_id: clientId,
        ...(!isPublic && { client_secret: clientSecret }),
        client_name: 'Example App',
        client_uri: 'https://app.example/',
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: ['https://app.example/'],
        grant_types: ['authorization_code', 'refresh_token'],
        ...metadata,
      },
    ]);
    const rp = await createRelyingParty({
      issuer: origin,
      clientId,
      ...(!isPublic && { clientSecret }),
      redirectUri,
      ...options,
    });
    return { clientId, clientSecret, redirectUri, rp };
  };

  /** Takes a signed-in browser through an authorization request to the app’s tokens, and approves if asked. */
  const link = async (agent: UserAgent, rp: RelyingParty, parameters: Record<string, string> = {}) => {
    const { url, checks } = await rp.authorizationUrl(parameters);
    let arrived = await agent.navigate(url);
    if (arrived.url.pathname === '/consent') arrived = await approve(agent, interactionOf(arrived.url));
    const tokens = await rp.exchange(arrived.url, checks);
    return { tokens, callback: arrived.url };
  };

  return {
    origin,
    ports,
    browser,
    messages,
    lastMessageTo,
    receiveCode,
    details,
    register,
    login,
    approve,
    signUp,
    signIn,
    registerApp,
    link,
    interactionOf,
  };
};

export type World = Awaited<ReturnType<typeof createWorld>>;

export interface WorldOptions {
  env?: Record<string, string>;
  connection?: Connection;
  /** Turns the clock of the account services, not of the database or the engine: docs/decisions/054-which-clock.md. */
  now?: () => Date;
  /** A build of the pages other than the repository’s. */
  pages?: string;
  /** Receives the log of the server. */
  logger?: Logger;
  /** The address at which an address of an identity provider is asked. */
  reachProvider?: (address: string) => string;
  /** Passwords cost what they cost people. Otherwise a sign-up or a sign-in takes next to nothing. */
  hashesInEarnest?: boolean;
}

const NEXT_TO_NOTHING = { memoryCost: 8, timeCost: 1 };

/** Boots the real server in this process, by default on an embedded database in memory. */
export const createWorld = async (options: WorldOptions = {}) => {
  const { env = {}, connection, now, pages = webDist } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'candela-world-'));
  const port = await freePort();
  const config: Config = readConfig({
    PORT: String(port),
    DATA_DIR: dataDir,
    PLAYGROUND_PORT: '0',
    LOG_LEVEL: 'error',
    CODE_RESEND_SECONDS: '0',
    CODE_PER_HOUR: '1000',
    CODE_PER_DAY: '1000',
    CODE_PER_ADDRESS_PER_HOUR: '10000',
    ...env,
  });
  const opened = connection ?? (await openTestDatabase());
  if (!connection) await giveSigningKeys(opened.db, config.secretKeys);
  const app = await createApp({
    config,
    connection: opened,
    logger: options.logger ?? createLogger(config.logLevel),
    webDist: pages,
    version: 'test',
    print: () => undefined,
    ...(now && { now }),
    reachProvider: options.reachProvider,
    ...(!options.hashesInEarnest && { hashCost: NEXT_TO_NOTHING }),
  });
  await app.listen();
  const verbs = createVerbs({
    origin: config.publicUrl,
    ports: [config.port],
    dataDirs: [dataDir],
    registerClients: (entries) => app.registry.apply({ kind: 'operator' }, entries),
  });
  return {
    ...verbs,
    registerClients: (entries: readonly Record<string, unknown>[]) =>
      app.registry.apply({ kind: 'operator' }, entries),
    /** An initial access token, good for 100 apps of any kind at app.example unless `token` says otherwise. */
    issueRegistrationToken: (token: Partial<TokenDraft> = {}) =>
      app.registrationTokens.create({
        name: 'Test',
        policy: { presets: ['web', 'spa', 'native', 'device', 'machine'], redirectHosts: ['app.example'] },
        maxUses: 100,
        expiresAt: new Date(Date.now() + 3_600_000),
        ...token,
      }),
    /** Deletes clients that registered themselves and are due, as the server does in the background. */
    removeDueClients: () => app.registration.removeDue(),
    revokeRegistrationToken: (id: string) => app.registrationTokens.revoke(id),
    /** Makes an allowed developer a member of a client, and its owner where it has none. */
    inviteDeveloper: (id: string, identifier: string) =>
      app.registry.addMember({ kind: 'operator' }, id, identifier),
    disableClient: (id: string) => app.registry.setDisabled({ kind: 'operator' }, id, true),
    deleteClient: (id: string) => app.registry.delete({ kind: 'operator' }, id),
    /** Signs up an account that an operator allows to register clients. */
    signUpDeveloper: async () => {
      const person = await verbs.signUp();
      await app.developers.allow(person.identifier);
      return person;
    },
    /** Gives an account a role at the desk, by an identifier. */
    allowStaff: (identifier: string, role: StaffRole) =>
      createStaffService({ db: opened.db, events: { emit: () => undefined } }).allow(identifier, role),
    /** The client as the server knows it. */
    findClient: (id: string) => app.clients.findClient(id, config.brands[0].id),
    /** Registers protected APIs, in the form of RESOURCES_FILE. */
    registerResources: (entries: readonly Record<string, unknown>[]) =>
      app.resourceServers.applyResourceServers(entries),
    /** The protected APIs of a brand, as the server knows them. */
    listResources: (brand: string) => app.resourceServers.listOfBrand(brand),
    /** Fetches the logos of clients that are due, as the server does in the background. */
    fetchLogos: () => app.logos.fetchDue(),
    /** Carries out changes of identifiers that are due, as the server does in the background. */
    carryOutChanges: () => app.waitingChanges.carryOut(),
    /** Writes refused sign-ins, and sends notices of browsers never seen, as the server does in the background. */
    tellSignIns: async () => {
      await app.refusedSignIns.flush();
      return app.signInNotices.sendDue();
    },
    /** Deletes accounts whose grace is over, as the server does in the background. */
    carryOutLeavings: () => app.leavings.carryOut(),
    /** Gives back to identity providers what they issued, as the server does in the background. */
    revokeIdentities: () => app.revocations.carryOut(),
    /** An identity provider, as the server speaks with it. */
    findProvider: (id: string) => app.providers.find(config.brands[0], id),
    /** Prepares the files that are waited for, as the server does in the background. */
    prepareExports: () => app.dataExports.prepareDue(),
    /** Writes what is known of clients, as the server does in the background. */
    flushRecords: () => app.clientRecords.flush(),
    /** Writes what this process counts of the service, as the server does in the background. */
    flushCounts: () => app.serviceCounts.flush(),
    /** Who may register clients. */
    developers: app.developers,
    /** What developers see of clients. */
    clientHealth: app.clientHealth,
    /** Deletes expired rows, as the server does in the background. */
    sweep: () => sweep(opened.db),
    /** The number of events by name. */
    countEvent: (name: string, reason = '') =>
      app.counts
        .events()
        .filter(({ event, reason: why }) => event === name && why === reason)
        .reduce((sum, { count }) => sum + count, 0),
    db: opened.db,
    config,
    close: async () => {
      await app.close();
      await opened.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
