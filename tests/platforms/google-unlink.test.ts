import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase } from '@candela/server/testing/databases';
import { importLinkLines } from '@candela/server/testing/import-links';
import { createCommandRunner } from '@candela/server/testing/run-command';
import { createRemoteJWKSet, decodeJwt, importSPKI, jwtVerify } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startHttpsServer } from '../support/https-server.ts';
import { createLogoutListener } from '../support/logout-listener.ts';
import { type Platform, registerPlatform } from '../support/platform.ts';
import { createWorld, type World } from '../support/world.ts';

/** https://developers.google.com/identity/account-linking/google-api-reference, November 2026. */
const TOKEN_REVOKED = 'https://schemas.openid.net/secevent/oauth/event-type/token-revoked';
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

const { listener, receivedAt, replyAt, untilReceived } = createLogoutListener();
const json = (status: number, body: unknown) => (answer: ServerResponse) =>
  void answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

let server: Awaited<ReturnType<typeof startHttpsServer>>;
let world: World;
let google: Platform;
let run: ReturnType<typeof createCommandRunner>;
let directory: string;
let publish: string;
beforeAll(async () => {
  server = await startHttpsServer(listener);
  const connection = await openTestDatabase();
  world = await createWorld({ connection, env: { BACKCHANNEL_HOSTS: server.host } });
  run = createCommandRunner({ config: world.config, connection });
  google = await register('google-home');
  directory = await mkdtemp(join(tmpdir(), 'candela-google-'));
});
afterAll(async () => {
  await world.close();
  await server.close();
  await rm(directory, { recursive: true });
});

const redirectUri = 'https://oauth-redirect.googleusercontent.com/r/our-lights-1a2b3';
const register = (preset: 'google-home' | 'alexa') =>
  registerPlatform(world, {
    metadata: {
      preset,
      ...(preset === 'alexa' ? { vendor_id: 'M2AAAAAAAAAAAA' } : { project_id: 'our-lights-1a2b3' }),
    },
    redirectUri: preset === 'alexa' ? 'https://layla.amazon.com/api/skill/link/M2AAAAAAAAAAAA' : redirectUri,
    authentication: preset === 'alexa' ? 'basic' : 'body',
  });

const keyFile = async (name: string, tokenUri: string): Promise<string> => {
  const account = { client_email: 'hub@our-lights.example', private_key: privateKey, token_uri: tokenUri };
  await writeFile(join(directory, name), JSON.stringify({ type: 'service_account', ...account }));
  return join(directory, name);
};

/** Each test has endpoints, and so a service account and an access token, of its own. */
let streamId: string;
let tokens: string;
beforeEach(async (context) => {
  publish = `/publish/${context.task.id}`;
  tokens = `/token/${context.task.id}`;
  replyAt(tokens, json(200, { access_token: 'of-google', expires_in: 3_600, token_type: 'Bearer' }));
  const file = await keyFile('key.json', `https://${server.host}${tokens}`);
  const made = await run('stream', 'google', google.clientId, '--service-account', file, '--json');
  streamId = JSON.parse(made.out).id;
  await world.db
    .updateTable('signal_stream')
    .set({ endpoint_url: `https://${server.host}${publish}` })
    .where('id', '=', streamId)
    .execute();
});

const lastSignal = () =>
  world.db
    .selectFrom('signal')
    .selectAll()
    .where('stream_id', '=', streamId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
const untilOutcome = (outcome: string) =>
  expect.poll(async () => (await lastSignal()).outcome, { timeout: 5_000 }).toBe(outcome);

const linkAndEnd = async () => {
  const { agent } = await world.signUp();
  const { refresh_token: kept } = await google.link(agent);
  expect((await google.refresh(kept)).status).toBe(200);
  await agent.delete('/api/authorizations');
  return kept as string;
};

const sha512 = (bytes: string | Buffer) => createHash('sha512').update(bytes).digest();

test('Google is told once of a link that its person ends, by the token that it keeps', async () => {
  const kept = await linkAndEnd();
  const [{ body, request }] = (await untilReceived(publish)) as [ReturnType<typeof receivedAt>[number]];
  expect(request.method).toBe('POST');
  expect(request.headers).toMatchObject({
    authorization: 'Bearer of-google',
    'content-type': 'application/json',
  });
  const keys = createRemoteJWKSet(new URL('/oauth/jwks', world.origin));
  const { payload } = await jwtVerify(JSON.parse(body).set, keys, {
    issuer: world.origin,
    audience: 'google_account_linking',
    typ: 'secevent+jwt',
  });
  const token = sha512(sha512(kept)).toString('base64');
  expect(payload).toEqual({
    iss: world.origin,
    aud: 'google_account_linking',
    jti: (await lastSignal()).jti,
    iat: expect.any(Number),
    toe: payload.iat,
    events: {
      [TOKEN_REVOKED]: {
        subject_type: 'oauth_token',
        token_type: 'refresh_token',
        token_identifier_alg: 'hash_base64_sha512_sha512',
        token,
      },
    },
  });
  await untilOutcome('told');

  // A second one, by the same access token.
  await linkAndEnd();
  await untilReceived(publish, 2);
  await untilOutcome('told');
  const [asked, ...more] = receivedAt(tokens);
  expect(more).toEqual([]);
  const form = new URLSearchParams(asked?.body);
  expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
  const assertion = await jwtVerify(form.get('assertion') ?? '', await importSPKI(publicKey, 'RS256'), {
    issuer: 'hub@our-lights.example',
    audience: `https://${server.host}${tokens}`,
  });
  expect(assertion.payload).toMatchObject({ scope: 'https://www.googleapis.com/auth/cloud-platform' });
});

test.each(['keeps from the server before', 'took in place of that'])(
  'Google is told of a link that moved here, by the token that it %s',
  async (which) => {
    const { agent, identifier } = await world.signUp();
    const moved = `a refresh token of the server before, and Google ${which}`;
    const line = { client_id: google.clientId, account: identifier, refresh_token: moved, scope: 'openid' };
    const imported = await importLinkLines([{ ...line, brand: 'aurelia' }], { db: world.db });
    expect(imported).toMatchObject({ imported: 1 });
    const { body: answered } = await google.refresh(moved);
    const kept = which === 'took in place of that' ? answered.refresh_token : moved;
    expect((await google.refresh(kept)).status).toBe(200);
    await agent.delete('/api/authorizations');
    const [{ body }] = (await untilReceived(publish)) as [ReturnType<typeof receivedAt>[number]];
    expect(decodeJwt(JSON.parse(body).set).events).toMatchObject({
      [TOKEN_REVOKED]: { token: sha512(sha512(kept)).toString('base64') },
    });
    await untilOutcome('told');
  },
);

test('an event that Google refuses is settled, with its words', async () => {
  replyAt(publish, json(400, { error: { code: 400, message: 'Unknown token', status: 'INVALID_ARGUMENT' } }));
  await linkAndEnd();
  await untilOutcome('refused');
  expect(await lastSignal()).toMatchObject({ outcome_status: 400, outcome_detail: 'Unknown token' });
});

test('a failure of Google is tried again, by the same event', async () => {
  replyAt(publish, json(500, {}));
  await linkAndEnd();
  await untilOutcome('not_taken');
  replyAt(publish, json(200, {}));
  await sql`update signal set due_at = now() where stream_id = ${streamId}`.execute(world.db);
  await untilOutcome('told');
  const [first, second] = receivedAt(publish).map(({ body }) => decodeJwt(JSON.parse(body).set).jti);
  expect(second).toBe(first);
});

test('a test asks for the access token, and says what Google said of the account', async () => {
  expect((await run('stream', 'test', streamId)).status).toBe(0);
  await untilOutcome('told');
  expect(receivedAt(publish)).toEqual([]);
  replyAt(tokens, json(400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }));
  await run('stream', 'test', streamId);
  await untilOutcome('not_taken');
  expect((await lastSignal()).outcome_detail).toBe('invalid_grant Invalid JWT Signature.');
  await sql`update signal set settled_at = now() where stream_id = ${streamId}`.execute(world.db);
});

test('a pause of the stream tells Google nothing', async () => {
  const before = await lastSignal();
  for (const verb of ['pause', 'resume']) expect((await run('stream', verb, streamId)).status).toBe(0);
  expect(await lastSignal()).toEqual(before);
});

test('no other client has the name of a token kept, and no other stream is given it', async () => {
  const alexa = await register('alexa');
  const hub = await world.registerApp({
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    scope: 'openid ssf.manage',
    first_party: true,
  });
  await world.db
    .insertInto('signal_stream')
    .values({
      id: 'of-the-brand',
      brand: world.config.brands[0].id,
      client_id: hub.clientId,
      delivery_method: 'urn:ietf:rfc:8936',
      events_requested: ['link-ended'],
    })
    .execute();
  const { agent } = await world.signUp();
  await alexa.link(agent);
  await google.link(agent);
  const hashes = await world.db
    .selectFrom('authorization_grant')
    .select(['client_id', 'google_token_hash'])
    .where('client_id', 'in', [alexa.clientId, google.clientId])
    .execute();
  expect(hashes).toContainEqual({ client_id: alexa.clientId, google_token_hash: null });
  expect(hashes).toContainEqual({ client_id: google.clientId, google_token_hash: expect.any(String) });
  await agent.delete('/api/authorizations');
  const told = await world.db
    .selectFrom('signal')
    .selectAll()
    .where('stream_id', '=', 'of-the-brand')
    .execute();
  expect(told).toHaveLength(2);
  for (const { payload } of told) expect(payload).not.toHaveProperty('google_token_hash');
  // Alexa's link is nothing to Google.
  await untilReceived(publish);
  await untilOutcome('told');
  expect(receivedAt(publish)).toHaveLength(1);
});

test('a stream to Google is for its clients alone, by an account of Google', async () => {
  const alexa = await register('alexa');
  const file = await keyFile('key.json', 'https://oauth2.googleapis.com/token');
  const elsewhere = await keyFile('elsewhere.json', 'https://tokens.example/token');
  const refused = async (client: string, key: string) =>
    (await run('stream', 'google', client, '--service-account', key)).error;
  expect(await refused(alexa.clientId, file)).toContain('has not the preset google-home');
  expect(await refused('nobody', file)).toContain('no client has the id "nobody"');
  expect(await refused(google.clientId, elsewhere)).toContain(
    'is not the key of a service account of Google',
  );
  expect(await refused(google.clientId, join(directory, 'none.json'))).toContain('none.json does not exist');
});
