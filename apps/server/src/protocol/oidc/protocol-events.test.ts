import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPglite } from '../../../testing/databases.ts';
import { startEngine } from '../../../testing/engine.ts';
import { ACCOUNT, CLIENT, createProbe, insertAccount } from '../../../testing/protocol-store.ts';
import type { Connection } from '../../ground/db/connect.ts';
import type { Database } from '../../ground/db/database.ts';

let connection: Connection;
let db: Kysely<Database>;
beforeAll(async () => {
  connection = await openPglite();
  db = connection.db;
  await insertAccount(db);
});
afterAll(() => connection.close());

const known = { brand: 'aurelia', clientId: CLIENT };

test('a refused token request logs the reason, and sends the app only the error', async () => {
  const engine = await startEngine(db);
  const { code } = await engine.issueCode();
  await engine.redeem(code, { code_verifier: 'w'.repeat(43) });
  await engine.redeem('unknown');
  await engine.post('/oauth/token', { grant_type: 'password' });
  await engine.post('/oauth/token', { grant_type: 'refresh_token', refresh_token: 'x' }, 'a wrong secret');
  const grantType = 'authorization_code';
  expect(engine.events.all).toEqual([
    {
      event: 'token.refused',
      ...known,
      grantType,
      reason: 'invalid_grant',
      detail: 'code_verifier does not match code_challenge',
    },
    {
      event: 'token.refused',
      ...known,
      grantType,
      reason: 'invalid_grant',
      detail: 'authorization code not found',
    },
    { event: 'token.refused', ...known, reason: expect.any(String), detail: expect.any(String) },
    {
      event: 'token.refused',
      ...known,
      grantType: 'refresh_token',
      reason: 'invalid_client',
      detail: 'invalid secret provided',
    },
  ]);
  await engine.close();
});

test('a refresh token presented again is a repeat, and after its successor’s use a theft', async () => {
  const engine = await startEngine(db);
  const { refresh_token = '' } = (await engine.redeem((await engine.issueCode()).code)).body;
  const successor = (await engine.refresh(refresh_token)).body.refresh_token ?? '';
  expect(engine.events.all).toEqual([]);
  await engine.refresh(refresh_token);
  const whom = { ...known, accountId: ACCOUNT };
  expect(engine.events.all).toEqual([{ event: 'token.repeated', ...whom }]);
  expect((await engine.refresh(successor)).status).toBe(200);
  expect((await engine.refresh(refresh_token)).body.error).toBe('invalid_grant');
  const refused = { event: 'token.refused', grantType: 'refresh_token', reason: 'invalid_grant' };
  expect(engine.events.all.slice(1)).toEqual([
    { event: 'token.duplicate', ...known },
    { ...refused, ...known, detail: 'refresh token not found' },
  ]);
  await db
    .updateTable('refresh_token')
    .set({ first_used_at: sql`first_used_at - interval '2 minutes'` })
    .execute();
  expect((await engine.refresh(refresh_token)).body.error).toBe('invalid_grant');
  expect(engine.events.all.slice(3)).toEqual([
    { event: 'token.theft', ...whom },
    { ...refused, ...whom, detail: 'refresh token already used' },
  ]);
  await engine.close();
});

test('a refresh token presented again after its overlap with an unused successor is a theft', async () => {
  const engine = await startEngine(db);
  const { refresh_token = '' } = (await engine.redeem((await engine.issueCode()).code)).body;
  const successor = (await engine.refresh(refresh_token)).body.refresh_token ?? '';
  await db.updateTable('refresh_token').set({ created_at: sql`created_at - interval '61 days'` }).execute();
  expect((await engine.refresh(refresh_token)).body.error).toBe('invalid_grant');
  const whom = { ...known, accountId: ACCOUNT };
  expect(engine.events.all).toEqual([
    { event: 'token.theft', ...whom },
    {
      event: 'token.refused',
      ...whom,
      grantType: 'refresh_token',
      reason: 'invalid_grant',
      detail: 'refresh token already used',
    },
  ]);
  expect((await engine.refresh(successor)).body.error).toBe('invalid_grant');
  await engine.close();
});

test('a link that its client revokes is an event', async () => {
  const engine = await startEngine(db);
  const { access_token = '', refresh_token = '' } = (await engine.redeem((await engine.issueCode()).code))
    .body;
  await engine.revoke(access_token);
  expect(engine.events.all).toEqual([]);
  await engine.revoke(refresh_token);
  expect(engine.events.all).toEqual([{ event: 'token.revoked', ...known, accountId: ACCOUNT }]);
  await engine.close();
});

test('a refused authorization request logs an event when it is answered', async () => {
  const engine = await startEngine(db);
  const parameters = {
    client_id: CLIENT,
    response_type: 'code',
    redirect_uri: 'https://app.example/callback',
  };
  await engine.authorize({ ...parameters, scope: 'openid', prompt: 'none' });
  await engine.authorize({ ...parameters, redirect_uri: 'https://evil.example/' });
  expect(engine.events.all).toEqual([
    {
      event: 'authorization.refused',
      ...known,
      reason: 'invalid_request',
      detail: expect.stringContaining('PKCE'),
    },
    {
      event: 'authorization.refused',
      ...known,
      reason: 'invalid_redirect_uri',
      detail: expect.any(String),
    },
  ]);
  await engine.close();
});

test('usual issuing costs no further statement, and logs no event', async () => {
  const { probe, db: counted } = createProbe(db);
  const engine = await startEngine(counted);
  const cost = async <T>(work: () => Promise<T>) => {
    probe.statements = 0;
    const answer = await work();
    return { answer, statements: probe.statements };
  };
  await engine.introspect('warm');
  const { code } = await engine.issueCode();
  const redeemed = await cost(() => engine.redeem(code));
  const { access_token = '', refresh_token = '' } = redeemed.answer.body;
  const refreshed = await cost(() => engine.refresh(refresh_token));
  const introspected = await cost(() =>
    engine.post('/oauth/introspect', { token: access_token, token_type_hint: 'access_token' }),
  );
  expect(introspected.answer.body.active).toBe(true);
  expect([redeemed, refreshed, introspected].map(({ statements }) => statements)).toEqual([2, 2, 1]);
  expect(engine.events.all).toEqual([]);
  await engine.close();
});
