import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../../ground/start-error.ts';
import { readProviderFile } from './provider-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'providers-'));
const path = join(directory, 'providers.json');
const file = { path, name: 'PROVIDERS_FILE' };
const google = { id: 'google', kind: 'google', client_id: 'us', client_secret: 'secret' };
const school = {
  id: 'school',
  kind: 'oidc',
  name: 'School',
  issuer: 'https://id.school.example',
  client_id: 'us',
};

const read = (entries: unknown, rules: Partial<Parameters<typeof readProviderFile>[1]> = {}) => {
  writeFileSync(path, JSON.stringify(entries));
  return readProviderFile(file, { brands: ['aurelia', 'fjord'], privateHosts: [], ...rules });
};
const problemsOf = (...from: Parameters<typeof read>): readonly string[] => {
  try {
    read(...from);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('PROVIDERS_FILE', () => {
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test('names providers of one brand and of all, with secrets that stand in files of their own', () => {
    const { privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    writeFileSync(join(directory, 'google.secret'), 'from a file\n');
    writeFileSync(join(directory, 'school.pem'), privateKey);
    const { client_secret: _, ...open } = google;
    expect(
      read([
        { ...open, client_secret_file: 'google.secret', brand: 'fjord' },
        { ...school, private_key_file: 'school.pem', key_id: 'one', languages: ['zh-Hant'] },
      ]),
    ).toMatchObject([
      { id: 'google', clientSecret: 'from a file', brand: 'fjord' },
      { id: 'school', privateKey: privateKey.trim(), keyId: 'one', languages: ['zh-Hant'], brand: undefined },
    ]);
  });

  test('has all its faults named at once, by their places, without a secret', () => {
    const { client_secret: _, ...secretless } = google;
    const problems = problemsOf([
      secretless,
      { ...google, issuer: 'https://evil.example', brand: 'nobody' },
      { ...school, name: undefined, issuer: 'http://id.school.example', client_secret_file: 'nowhere' },
      { ...school, id: 'Old School', kind: 'saml', colour: 'red' },
      { ...school, id: 'keyless', private_key: 'not a key' },
    ]);
    expect(problems.map((problem) => problem.replace('PROVIDERS_FILE: ', ''))).toEqual([
      '[3].id must be small letters, digits and hyphens',
      expect.stringContaining('[3].kind must be one of google, apple'),
      '[3].colour is unknown',
      '[0].client_secret is missing: the kind google needs it',
      '[1].issuer is not taken by the kind google',
      expect.stringMatching(/^\[1\]\.issuer|^\[1\]\.brand "nobody" is not served: served are aurelia, fjord/),
      expect.stringContaining('[2].client_secret_file cannot be read'),
      '[2].name is missing: the kind oidc has no name that people know',
      expect.stringContaining('[2].issuer http://id.school.example cannot be asked: not a plain https URL'),
      '[4].private_key is no private key in PEM (PKCS #8)',
    ]);
    expect(problems.join()).not.toContain('not a key');
  });

  test('takes an id once for each brand', () => {
    const at = (brand: string) => ({ ...google, brand });
    expect(problemsOf([at('aurelia'), at('fjord')])).toEqual([]);
    expect(problemsOf([at('aurelia'), at('aurelia')])).toEqual([
      'PROVIDERS_FILE: [1].id "google" stands there twice for one brand',
    ]);
    expect(problemsOf([google, at('fjord')])).toEqual([
      'PROVIDERS_FILE: [1].id "google" stands there twice for one brand',
    ]);
  });

  test('takes an issuer that is not public where PROVIDER_HOSTS names it', () => {
    const near = { ...school, issuer: 'http://127.0.0.1:9000' };
    expect(problemsOf([near])).toHaveLength(1);
    expect(problemsOf([near], { privateHosts: ['127.0.0.1:9000'] })).toEqual([]);
    expect(problemsOf([near], { privateHosts: undefined })).toEqual([]);
  });

  test('says what it cannot say where the file is no array or no JSON', () => {
    expect(problemsOf({ id: 'google' })).toEqual(['PROVIDERS_FILE: the whole must be of type array']);
    writeFileSync(path, '[{');
    expect(() => readProviderFile(file, { brands: [], privateHosts: [] })).toThrow(/is not JSON/);
  });
});
