import { afterEach, expect, test, vi } from 'vitest';

const ahead = vi.hoisted(() => ({ seconds: 0 }));
vi.mock('../../../ground/db/clock.ts', () => ({ aheadSeconds: () => ahead.seconds }));

import { authorizationRequest, startBareEngine } from '../../../../testing/bare-engine.ts';
import { readJwtPart } from '../jwt/unverified-jwt.ts';
import { toDatabaseTime, toEngineTime } from './engine-time.ts';

afterEach(() => {
  ahead.seconds = 0;
});

const jwt = (claims: object) => {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode({ alg: 'none' })}.${encode(claims)}.`;
};

test('a process whose clock is behind reads correct times from a process whose clock is ahead', () => {
  ahead.seconds = 60;
  const stored = toDatabaseTime({ kind: 'RefreshToken', iat: 1_060, exp: 2_060, iiat: 560, jti: 'a' });
  expect(stored).toEqual({ kind: 'RefreshToken', iat: 1_000, exp: 2_000, iiat: 500, jti: 'a' });
  ahead.seconds = -60;
  expect(toEngineTime(stored)).toEqual({ kind: 'RefreshToken', iat: 940, exp: 1_940, iiat: 440, jti: 'a' });
});

test('a pushed request is opened by the clock of the process that opens it', () => {
  ahead.seconds = 60;
  const pushed = { request: jwt({ iat: 1_060, nbf: 1_060, exp: 1_120, scope: 'openid é' }), exp: 1_120 };
  const stored = toDatabaseTime(pushed);
  ahead.seconds = 0;
  const { request, exp } = toEngineTime(stored) ?? {};
  expect(exp).toBe(1_060);
  expect(readJwtPart(String(request), 1)).toEqual({ iat: 1_000, nbf: 1_000, exp: 1_060, scope: 'openid é' });
  expect(readJwtPart(String(request), 0)).toEqual({ alg: 'none' });
});

test('equal clocks need no copy, and undefined stays undefined', () => {
  const payload = { kind: 'Session', exp: 5 };
  expect(toDatabaseTime(payload)).toBe(payload);
  expect(toEngineTime(payload)).toBe(payload);
  expect(toEngineTime(undefined)).toBeUndefined();
});

test('the engine keeps its times under these names, and a pushed request as an unsigned JWT', async () => {
  const engine = await startBareEngine();
  const { provider, stored } = engine;
  const payloadOf = (model: string) => [...stored].find(([key]) => key.startsWith(`${model} `))?.[1];

  await engine.post('/request', { client_secret: 'secret', ...Object.fromEntries(authorizationRequest()) });
  const request = String(payloadOf('PushedAuthorizationRequest')?.request);
  expect(readJwtPart(request, 0)).toMatchObject({ alg: 'none' });
  expect(request.split('.')[2]).toBe('');
  const time = expect.any(Number);
  expect(readJwtPart(request, 1)).toMatchObject({ iss: 'app', iat: time, nbf: time, exp: time });

  const client = await provider.Client.find('app');
  if (!client) throw new Error('the client of the test is not registered');
  const facts = { accountId: 'ada', grantId: 'a-grant', gty: 'authorization_code', scope: 'openid' };
  await new provider.RefreshToken({ ...facts, client }).save();
  expect(payloadOf('RefreshToken')).toMatchObject({ iat: time, exp: time, iiat: time });
  await engine.close();
});
