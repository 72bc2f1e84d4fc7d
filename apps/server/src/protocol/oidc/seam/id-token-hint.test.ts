import { afterEach, expect, test } from 'vitest';
import { app, startBareEngine } from '../../../../testing/bare-engine.ts';
import { takeEarlierHints } from './id-token-hint.ts';

let engine: Awaited<ReturnType<typeof startBareEngine>> | undefined;
afterEach(() => engine?.close());

test('an id_token is a hint by each algorithm of the issuer that is named, and by no other', async () => {
  engine = await startBareEngine({
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256', 'PS256'] },
    clients: ['RS256', 'ES256', 'PS256'].map((alg) => ({
      ...app,
      client_id: alg,
      id_token_signed_response_alg: alg as 'RS256',
    })),
  });
  const { provider } = engine;
  const find = async (id: string) => {
    const client = await provider.Client.find(id);
    if (!client) throw new Error('the client of the test is not registered');
    return client;
  };
  const hintBy = async (alg: string) => {
    const token = new provider.IdToken({ sub: 'ada' }, { client: await find(alg) } as never);
    return Object.assign(token, { scope: 'openid' }).issue({ use: 'idtoken' });
  };
  // Of the same client, which changed its algorithm.
  const asked = async (alg: string, now: string) =>
    Object.create(await find(now), { clientId: { value: alg } });
  const byRsa = await hintBy('RS256');
  await expect(provider.IdToken.validate(byRsa, await asked('RS256', 'ES256'))).rejects.toThrow();

  takeEarlierHints(provider, ['RS256', 'ES256']);
  const taken = await provider.IdToken.validate(byRsa, await asked('RS256', 'ES256'));
  expect(taken.payload).toMatchObject({ sub: 'ada', aud: 'RS256' });
  await provider.IdToken.validate(await hintBy('ES256'), await asked('ES256', 'RS256'));
  const other = provider.IdToken.validate(await hintBy('PS256'), await asked('PS256', 'RS256'));
  await expect(other).rejects.toThrow();
  await expect(provider.IdToken.validate(byRsa, await asked('ES256', 'ES256'))).rejects.toThrow('audience');
});
