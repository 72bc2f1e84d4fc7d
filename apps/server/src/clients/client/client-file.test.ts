import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError } from '../../ground/start-error.ts';
import { readClientFile } from './client-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'candela-client-file-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** The faults of a file with one client that has these metadata. */
const problemsOf = (metadata: Record<string, unknown>): readonly string[] => {
  const path = join(directory, 'clients.json');
  const entry = {
    client_id: 'hub',
    client_secret: 'secret',
    redirect_uris: ['https://hub.example/callback'],
  };
  writeFileSync(path, JSON.stringify([{ ...entry, ...metadata }]));
  const rules = {
    brands: [],
    reserved: [],
    backchannelHosts: ['hub.internal:8080'],
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
