import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { app, createBareEngine, startBareEngine } from '../../../../testing/bare-engine.ts';
import { replayIdOf } from './replay-id.ts';

let engine: Awaited<ReturnType<typeof startBareEngine>> | undefined;
afterEach(() => engine?.close());

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const createProof = (htu: string, jti: string): string => {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: publicKey.export({ format: 'jwk' }) };
  const signed = `${encode(header)}.${encode({ htm: 'POST', htu, jti, iat: Math.floor(Date.now() / 1000) })}`;
  const key = {
    key: createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    dsaEncoding: 'ieee-p1363',
  } as const;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
};

test('the engine looks up a proof by the hash of the client and the jti', async () => {
  engine = await startBareEngine({
    clients: [{ ...app, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }],
    features: { clientCredentials: { enabled: true }, dPoP: { enabled: true } },
  });
  const form = { client_id: 'app', client_secret: 'secret', grant_type: 'client_credentials' };
  const { status } = await engine.post('/token', form, {
    dpop: createProof(`${engine.origin}/token`, 'a-jti'),
  });
  expect(status).toBe(200);
  expect(engine.looks.filter((look) => look.startsWith('ReplayDetection '))).toEqual([
    `ReplayDetection ${replayIdOf('app', 'a-jti')}`,
  ]);
});

test('the engine looks up a client assertion by the same hash', async () => {
  const { provider, looks } = createBareEngine();
  expect(await provider.ReplayDetection.unique('app', 'a-jti', Math.floor(Date.now() / 1000) + 60)).toBe(
    true,
  );
  expect(await provider.ReplayDetection.unique('app', 'a-jti', Math.floor(Date.now() / 1000) + 60)).toBe(
    false,
  );
  expect(looks).toContain(`ReplayDetection ${replayIdOf('app', 'a-jti')}`);
});
