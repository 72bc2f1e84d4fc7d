import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, freePort, type World } from '../support/world.ts';
import { readDocumentedApi } from './documented.ts';
import { FORM } from './library.ts';
import { createRunningApps } from './running-apps.ts';

let world: World;
let apps: Awaited<ReturnType<typeof createRunningApps>>;
beforeAll(async () => {
  [world, apps] = await Promise.all([createWorld(), createRunningApps()]);
});
afterAll(async () => {
  await apps?.close();
  await world?.close();
});

/** Registers what the page registers, runs its API, and returns what its machine can do. */
const run = async (name: string) => {
  const port = await freePort();
  const app = `http://localhost:${port}`;
  const clientSecret = randomBytes(32).toString('hex');
  const places = { issuer: world.origin, app, clientSecret };
  const { resources, clients, program } = readDocumentedApi(name, places);
  await world.registerResources(resources);
  const otherApi = { ...resources[0], identifier: `${resources[0]?.identifier}/other` };
  await world.registerResources([otherApi]);
  await world.registerClients(clients);
  const [api = '', machine = ''] = [clients[0], clients.at(-1)].map((client) => String(client?.client_id));
  await apps.runProgram(machine, program.replace('listen(8080)', `listen(${port})`), {
    ISSUER: world.origin,
    CLIENT_ID: api,
    CLIENT_SECRET: clientSecret,
  });
  const agent = world.browser({ headers: { origin: '', 'sec-fetch-site': '' } });
  const post = (path: string, form: Record<string, string>) =>
    agent.request('POST', path, {
      raw: new URLSearchParams({ client_id: machine, client_secret: clientSecret, ...form }).toString(),
      headers: { 'content-type': FORM },
    });
  return {
    machine,
    post,
    getToken: async (resource = String(resources[0]?.identifier), scope = String(clients.at(-1)?.scope)) => {
      const form = { grant_type: 'client_credentials', resource, scope };
      return String((await post('/oauth/token', form)).json().access_token);
    },
    /** Calls the API with the token; answers the status, and the body of a success. */
    call: async (token?: string) => {
      const answer = await fetch(app, { headers: token ? { authorization: `Bearer ${token}` } : {} });
      const challenge = answer.headers.get('www-authenticate');
      return { status: answer.status, challenge, body: answer.ok ? await answer.json() : undefined };
    },
    otherApi: otherApi.identifier,
  };
};

describe.each(['An API that introspects', 'An API that verifies JWTs'])('%s, as documented,', (name) => {
  let api: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    api = await run(name);
  });

  test('answers the token of its machine', async () => {
    expect(await api.call(await api.getToken())).toMatchObject({
      status: 200,
      body: { caller: api.machine },
    });
  });

  test('refuses no token, a broken token and a token for another API', async () => {
    expect(await api.call()).toMatchObject({ status: 401, challenge: 'Bearer' });
    const refused = { status: 401, challenge: 'Bearer error="invalid_token"' };
    expect(await api.call('broken')).toMatchObject(refused);
    expect(await api.call(await api.getToken(api.otherApi))).toMatchObject(refused);
  });
});

test('An API that introspects, as documented, refuses a token at once when it is revoked', async () => {
  const api = await run('An API that introspects');
  const token = await api.getToken();
  expect((await api.call(token)).status).toBe(200);
  expect((await api.post('/oauth/revoke', { token })).status).toBe(200);
  expect((await api.call(token)).status).toBe(401);
});
