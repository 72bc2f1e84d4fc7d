import { afterEach, expect, test } from 'vitest';
import { authorizationRequest, startBareEngine } from '../../../../testing/bare-engine.ts';
import { setAcr } from './answered-acr.ts';

let engine: Awaited<ReturnType<typeof startBareEngine>> | undefined;
afterEach(() => engine?.close());

test('a code has the acr that was set for its request, and the session keeps its own', async () => {
  engine = await startBareEngine({
    loadExistingGrant: async (ctx) => {
      setAcr(ctx.oidc, 'asked');
      const grant = new ctx.oidc.provider.Grant({ accountId: 'ada', clientId: 'app' });
      grant.addOIDCScope('openid');
      await grant.save();
      return grant;
    },
  });
  const { stored } = engine;
  const first = engine.payloadAt((await engine.get(`/auth?${authorizationRequest()}`)).location);
  Object.assign(first ?? {}, { result: { login: { accountId: 'ada', acr: 'held' } } });
  await engine.get(String(first?.returnTo).replace(engine.origin, ''));
  const acrOf = (model: string) => [...stored].find(([key]) => key.startsWith(`${model} `))?.[1].acr;
  expect([acrOf('AuthorizationCode'), acrOf('Session')]).toEqual(['asked', 'held']);
});
