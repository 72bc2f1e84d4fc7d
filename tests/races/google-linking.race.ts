import { createServer, type Server } from 'node:http';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { createRegistrations } from '@candela/server/testing/registrations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Cluster } from '../support/cluster.ts';
import { createSigningKey, type SigningKey, signAssertion } from '../support/signer.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { appHost, fourProcesses } from './four-processes.ts';
import { inParallel, MEETINGS, RACE_TIMEOUT, ROUNDS, skipped, tally } from './rounds.ts';

const OUR_ID = '123-brand.apps.googleusercontent.com';
const CLIENT = { client_id: 'google', client_secret: 'a-secret-of-google-in-this-test-alone' };
/** As programs send it: no page is behind the request. */
const noPage = { origin: '', 'sec-fetch-site': '' };

describe.skipIf(!testDatabaseUrl)(`OA36: Google links at four processes${skipped}`, () => {
  let host: Server;
  let cluster: Cluster;
  let key: SigningKey;
  let program: UserAgent;
  beforeAll(async () => {
    key = await createSigningKey('RS256');
    const keys = JSON.stringify({ keys: [{ ...key.jwk, kid: 'one', use: 'sig', alg: 'RS256' }] });
    host = createServer((_request, answer) => answer.end(keys)).listen(appHost.port, appHost.address);
    await new Promise((listening) => host.once('listening', listening));
    const google = {
      ...CLIENT,
      client_name: 'Google Home',
      preset: 'google-home',
      project_id: 'our-lights-1a2b3',
      google_client_ids: OUR_ID,
      google_creates_accounts: true,
      google_jwks_uri: `http://${appHost.address}:${appHost.port}/certs`,
    };
    cluster = await fourProcesses();
    await createRegistrations(cluster.db, { secretKeys: [cluster.env.SECRET_KEY] }).apply([google]);
    program = cluster.browser();
  });
  afterAll(() => {
    host?.closeAllConnections();
    host?.close();
  });

  let made = 0;
  const idToken = (sub: string, email: string) => {
    made += 1;
    const claims = { sub, email, email_verified: true, nonce: String(made) };
    const of = { clientId: 'https://accounts.google.com', audience: OUR_ID };
    return signAssertion(key, of, claims, { alg: 'RS256', kid: 'one' });
  };

  /** The status of the answer. */
  const ask = async (intent: 'get' | 'create', assertion: string): Promise<number> => {
    const form = { ...CLIENT, intent, assertion, grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' };
    return (await program.request('POST', '/oauth/token', { form, headers: noPage })).status;
  };

  const countOf = async (
    table: 'account' | 'authorization_grant' | 'google_subject' | 'agreement_acceptance',
  ) => (await cluster.db.selectFrom(table).selectAll().execute()).length;
  const counts = () =>
    Promise.all([countOf('account'), countOf('authorization_grant'), countOf('google_subject')]);

  test(
    'parallel wishes for one account make one account and one link, of one person or of two with one address',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const [before, accepted] = [await counts(), await countOf('agreement_acceptance')];
        const assertions = await inParallel((index) =>
          idToken(`person-${round}-${round % 2 ? index % 2 : 0}`, `round.${round}@gmail.com`),
        );
        const answers = await inParallel((index) => ask('create', assertions[index] ?? ''));
        expect(tally(answers)).toEqual({ 200: 1, 401: answers.length - 1 });
        expect(await counts()).toEqual(before.map((count) => count + 1));
        expect(await countOf('agreement_acceptance')).toBe(accepted + 2);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'an assertion links once, and no link outlives the withdrawal of all at that moment',
    async () => {
      for (let round = 0; round < MEETINGS; round += 1) {
        const [sub, email] = [`linked-${round}`, `linked.${round}@gmail.com`];
        expect(await ask('create', await idToken(sub, email))).toBe(200);
        const grants = await countOf('authorization_grant');
        const once = await idToken(sub, email);
        const answers = await inParallel(() => ask('get', once));
        expect(tally(answers)).toEqual({ 200: 1, 400: answers.length - 1 });
        expect(await countOf('authorization_grant')).toBe(grants + 1);

        const agent = cluster.browser();
        const { url } = await agent.navigate('/login');
        const code = await cluster.receiveCode(agent, email, 'login');
        const signedIn = await agent.post(`/interaction/${cluster.interactionOf(url)}/login`, {
          identifier: email,
          code,
        });
        await agent.navigate(signedIn.json().returnTo);
        const raced = await inParallel(
          async (index) =>
            index === (round * 3) % 10
              ? (await agent.delete('/api/authorizations')).status
              : ask('get', await idToken(sub, email)),
          10,
        );
        const { 204: withdrawn, ...others } = tally(raced);
        expect(withdrawn).toBe(1);
        expect(Object.keys(others).filter((status) => !['200', '401'].includes(status))).toEqual([]);
        expect(await countOf('authorization_grant')).toBe(grants - 1);
      }
    },
    RACE_TIMEOUT,
  );
});
