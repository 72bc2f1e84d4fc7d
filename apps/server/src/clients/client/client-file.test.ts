import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError } from '../../ground/start-error.ts';
import { findClientFault } from '../../protocol/oidc/client-faults.ts';
import { readClientFile } from './client-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'candela-client-file-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** The faults of a file with one client that has these metadata. */
const problemsOf = (metadata: Record<string, unknown>): readonly string[] => {
  const path = join(directory, 'clients.json');
  const entry = {
    client_id: 'hub',
    client_secret: 'a-secret-of-the-app-for-tests-only',
    redirect_uris: ['https://hub.example/callback'],
  };
  writeFileSync(path, JSON.stringify([{ ...entry, ...metadata }]));
  const rules = {
    brands: [],
    reserved: [],
    backchannelHosts: ['hub.internal:8080'],
    nativeSchemes: ['lamps'],
    findFault: () => undefined,
  };
  try {
    readClientFile({ path, name: 'CLIENTS_FILE' }, rules);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems;
  }
};

test.each([
  'https://hub.example/logout?app=1',
  'https://hub.internal:8080/logout',
  'http://hub.internal:8080/logout',
])('%s can be called', (uri) => {
  expect(problemsOf({ backchannel_logout_uri: uri, jwks_uri: uri })).toEqual([]);
});

test.each([
  ['http://hub.example/logout', 'not a plain https URL'],
  ['https://user@hub.example/logout', 'not a plain https URL'],
  ['https://hub.example/logout#x', 'not a URL without a fragment'],
  ['/logout', 'not a plain https URL'],
  [['https://hub.example/logout'], 'not a URL without a fragment'],
  ['https://127.0.0.1/logout', '127.0.0.1 is not a public address'],
  ['https://[::ffff:7f00:1]/logout', '::ffff:7f00:1 is not a public address'],
  ['https://hub.example:8443/logout', 'port 8443 is not that of https'],
])('%s is refused, with the fault and its place', (uri, fault) => {
  expect(problemsOf({ backchannel_logout_uri: uri })).toEqual([
    `CLIENTS_FILE: [0].backchannel_logout_uri cannot be called: ${fault}, and BACKCHANNEL_HOSTS does not name it`,
  ]);
});

test('all faults of all clients are told at once, and none that follows from another', () => {
  const path = join(directory, 'many.json');
  const client = { client_secret: 'a-secret-of-the-app-for-tests-only' };
  const uris = ['https://app.example/callback'];
  const entries = [
    { ...client, client_id: 'one', redirect_uris: ['http://app.example/callback'], grant_types: ['magic'] },
    { client_id: 'two', redirect_uris: uris, subject_type: 'odd', verified: 'yes' },
    { ...client, redirect_uris: 'https://app.example/', id_token_signed_response_alg: 'HS256' },
    { ...client, client_id: 'four', redirect_uris: uris, application_type: 'desk', grant_types: ['magic'] },
    { ...client, client_id: 'five', redirect_uris: uris },
    7,
    { ...client, client_id: 'five', redirect_uris: uris, brand: 'nobody' },
  ];
  writeFileSync(path, JSON.stringify(entries));
  const rules = {
    brands: ['aurelia'],
    reserved: [],
    backchannelHosts: [],
    nativeSchemes: [],
    findFault: findClientFault,
  };
  let told: readonly string[] = [];
  try {
    readClientFile({ path, name: 'FILE' }, rules);
  } catch (error) {
    told = (error as ConfigError).problems;
  }
  expect(told.map((line) => line.replace('FILE: ', ''))).toEqual([
    '[0].redirect_uris[0] must be https: http is for this machine (localhost, 127.0.0.1, [::1])',
    expect.stringMatching(/^\[0\]: grant_types can only contain /),
    '[1].verified must be of type boolean',
    expect.stringMatching(/^\[1\]\.client_secret is missing/),
    "[1]: subject_type must be 'public' or 'pairwise'",
    '[2].client_id is missing',
    '[2].redirect_uris must be of type array',
    "[2]: id_token_signed_response_alg must be 'RS256' or 'ES256'",
    '[3].application_type must be web or native',
    '[5] must be of type object',
    '[6].client_id "five" stands there twice',
    '[6].brand "nobody" is not served: served are aurelia',
  ]);
});
