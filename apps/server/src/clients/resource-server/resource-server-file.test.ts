import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError } from '../../ground/start-error.ts';
import { readResourceServerFile } from './resource-server-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'candela-resources-'));
afterAll(() => rmSync(directory, { recursive: true }));
const path = join(directory, 'resources.json');

const lights = { identifier: 'https://lights.example/v1', name: 'Lights', scopes: [{ name: 'read' }] };

const read = (content: unknown) => {
  writeFileSync(path, JSON.stringify(content));
  return readResourceServerFile({ path, name: 'RESOURCES_FILE r.json' }, ['aurelia']);
};

const problemsOf = (content: unknown): readonly string[] => {
  try {
    read(content);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

test('a minimal entry gets short-lived JWTs', () => {
  expect(read([lights])).toEqual([
    { ...lights, access_token_format: 'jwt', access_token_ttl: 600, access_token_signing_alg: 'ES256' },
  ]);
});

test('an entry may set every field, in every language', () => {
  const description = { en: 'see', 'zh-Hant': '查看', 'zh-Hans': '查看', ru: 'видеть' };
  const entry = {
    ...lights,
    identifier: 'urn:example:lights',
    brand: 'aurelia',
    scopes: [{ name: 'https://lights.example/read', description }, { name: 'lights:switch' }],
    access_token_format: 'opaque',
    access_token_ttl: 86_400,
    access_token_signing_alg: 'RS256',
  };
  expect(read([entry])).toEqual([entry]);
});

test.each([
  ['relative', { identifier: '/lights' }, '.identifier must be an absolute URI without a fragment'],
  [
    'a fragment',
    { identifier: 'https://a.example/#b' },
    '.identifier must be an absolute URI without a fragment',
  ],
  [
    'a space',
    { identifier: 'https://a.example/a b' },
    '.identifier must be an absolute URI without a fragment',
  ],
  ['no name', { name: undefined }, '.name is missing'],
  ['an empty name', { name: '' }, '.name must not be empty'],
  ['no scopes', { scopes: [] }, '.scopes must have a scope'],
  ['a scope twice', { scopes: [{ name: 'a' }, { name: 'a' }] }, '.scopes must not name a scope twice'],
  ['a scope of the account', { scopes: [{ name: 'email' }] }, '.scopes[0].name is a scope of the account'],
  [
    'a scope with a space',
    { scopes: [{ name: 'a b' }] },
    '.scopes[0].name must be printable ASCII characters without spaces, " and \\',
  ],
  [
    'control characters',
    { scopes: [{ name: 'a', description: { en: 'a\u0000' } }] },
    '.scopes[0].description.en must not have control characters',
  ],
  ['an unknown format', { access_token_format: 'saml' }, '.access_token_format must be jwt or opaque'],
  [
    'a short life',
    { access_token_ttl: 60 },
    '.access_token_ttl must be a whole number of seconds from 360 to 86400',
  ],
  [
    'a weak signature',
    { access_token_signing_alg: 'HS256' },
    '.access_token_signing_alg must be ES256 or RS256',
  ],
  ['an unknown field', { audience: 'x' }, '.audience is unknown'],
  ['an unknown brand', { brand: 'nobody' }, '.brand "nobody" is not served: served are aurelia'],
])('%s is refused, and said where', (_, change, problem) => {
  expect(problemsOf([lights, { ...lights, identifier: 'https://b.example/', ...change }])).toEqual([
    `RESOURCES_FILE r.json: [1]${problem}`,
  ]);
});

test('an unknown language is refused', () => {
  const scopes = [{ name: 'a', description: { fr: 'voir' } }];
  expect(problemsOf([{ ...lights, scopes }])).toHaveLength(1);
});

test('a duplicate identifier is refused', () => {
  expect(problemsOf([lights, lights])).toEqual([
    'RESOURCES_FILE r.json: [1].identifier "https://lights.example/v1" stands there twice',
  ]);
});
