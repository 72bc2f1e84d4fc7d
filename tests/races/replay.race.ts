import { testDatabaseUrl } from '@candela/server/testing/databases';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Cluster } from '../support/cluster.ts';
import { createSigningKey, signAssertion, signProof } from '../support/signer.ts';
import { basic } from '../support/token.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { fourProcesses } from './four-processes.ts';
import { inParallel, PARALLEL, RACE_TIMEOUT, ROUNDS, skipped, tally } from './rounds.ts';

/** As programs send it: no page is behind the request. */
const noPage = { origin: '', 'sec-fetch-site': '' };

describe.skipIf(!testDatabaseUrl)(`R11: single use at four processes${skipped}`, () => {
  let cluster: Cluster;
  let agent: UserAgent;
  let program: UserAgent;
  beforeAll(async () => {
    cluster = await fourProcesses();
    ({ agent } = await cluster.signUp());
    program = cluster.browser();
  });

  const post = (
    path: string,
    form: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Answer> =>
    program.request('POST', `${cluster.origin}${path}`, { form, headers: { ...noPage, ...headers } });

  /** The code of a new authorization request, which an app can exchange for tokens. */
  const authorize = async (app: Awaited<ReturnType<Cluster['registerApp']>>) => {
    const { url, checks } = await app.rp.authorizationUrl();
    let arrived = await agent.navigate(url);
    if (arrived.url.pathname === '/consent')
      arrived = await cluster.approve(agent, cluster.interactionOf(arrived.url));
    return {
      grant_type: 'authorization_code',
      code: arrived.url.searchParams.get('code') ?? '',
      redirect_uri: app.redirectUri,
      code_verifier: checks.pkceCodeVerifier,
      client_id: app.clientId,
    };
  };

  test(
    'a pushed request yields one code',
    async () => {
      const app = await cluster.registerApp();
      await cluster.link(agent, app.rp);
      for (let round = 0; round < ROUNDS; round += 1) {
        const { url } = await app.rp.authorizationUrl();
        const pushed = await post('/oauth/par', Object.fromEntries(url.searchParams), basic(app));
        expect(pushed.status, pushed.body).toBe(201);
        const request = new URL('/oauth/authorize', cluster.origin);
        request.searchParams.set('client_id', app.clientId);
        request.searchParams.set('request_uri', pushed.json().request_uri);
        const headers = { cookie: await agent.jar.getCookieString(cluster.origin) };
        const crowd = cluster.browser();
        const answers = await inParallel(() => crowd.get(request.href, { headers }));
        expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
        const codes = answers
          .map(({ headers: { location } }) => URL.parse(String(location)))
          .map((location) => location?.searchParams.get('code'));
        expect(codes.filter(Boolean)).toHaveLength(1);
        const rows = cluster.db
          .deleteFrom('authorization_code')
          .where('client_id', '=', app.clientId)
          .where('consumed_at', 'is', null)
          .returning('id_hash');
        expect(await rows.execute()).toHaveLength(1);
        const again = await crowd.get(request.href, { headers });
        expect(String(again.headers.location)).not.toContain('code=');
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'a client assertion authenticates one request',
    async () => {
      const key = await createSigningKey();
      const app = await cluster.registerApp({
        client_secret: undefined,
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'ES256',
        jwks: { keys: [{ ...key.jwk, alg: 'ES256', use: 'sig' }] },
      });
      const authentication = async () => ({
        client_id: app.clientId,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await signAssertion(key, { clientId: app.clientId, audience: cluster.origin }),
      });
      const first = await post('/oauth/token', { ...(await authorize(app)), ...(await authentication()) });
      expect(first.status, first.body).toBe(200);
      for (let round = 0; round < ROUNDS; round += 1) {
        const form = {
          ...(await authentication()),
          grant_type: 'refresh_token',
          refresh_token: first.json().refresh_token,
        };
        const answers = await inParallel(() => post('/oauth/token', form));
        expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 401: PARALLEL - 1 });
        const refusals = answers.filter(({ status }) => status === 401).map((answer) => answer.json().error);
        expect(tally(refusals)).toEqual({ invalid_client: PARALLEL - 1 });
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'a DPoP proof is valid for one request, and a copy of it ends no link',
    async () => {
      const key = await createSigningKey();
      const app = await cluster.registerApp({ token_endpoint_auth_method: 'none' });
      let nonce: string | undefined;
      const prove = () => signProof(key, { htm: 'POST', htu: `${cluster.origin}/oauth/token`, nonce });
      /** Repeats the request with the nonce if the server requires one (RFC 9449 section 8). */
      const ask = async (form: Record<string, string>): Promise<Answer> => {
        const answer = await post('/oauth/token', form, { dpop: await prove() });
        if (answer.json().error !== 'use_dpop_nonce') return answer;
        nonce = String(answer.headers['dpop-nonce']);
        return post('/oauth/token', form, { dpop: await prove() });
      };
      const first = await ask(await authorize(app));
      expect([first.status, first.json().token_type], first.body).toEqual([200, 'DPoP']);
      let token = first.json().refresh_token;
      for (let round = 0; round < ROUNDS; round += 1) {
        const form = { grant_type: 'refresh_token', refresh_token: token, client_id: app.clientId };
        const proved = await ask(form);
        expect(proved.status, proved.body).toBe(200);
        const dpop = await prove();
        const answers = await inParallel(() => post('/oauth/token', form, { dpop }));
        expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 400: PARALLEL - 1 });
        const refusals = answers.filter(({ status }) => status === 400).map((answer) => answer.json().error);
        expect(tally(refusals)).toEqual({ invalid_dpop_proof: PARALLEL - 1 });
        token = proved.json().refresh_token;
      }
    },
    RACE_TIMEOUT,
  );
});
