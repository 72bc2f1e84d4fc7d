import { describe, expect, test } from 'vitest';
import { findMissingSector, findSectorFaults } from './sector-rules.ts';

const URI = 'https://app.example/callback';
const pairwise = (fields: Record<string, unknown>) => ({ subject_type: 'pairwise', ...fields });
const fieldsOf = (faults: readonly { field: string }[]) => faults.map(({ field }) => field);

describe('a pairwise client (OpenID Connect Core section 8.1)', () => {
  const keys = { jwks_uri: 'https://app.example/jwks', redirect_uris: [], response_types: [] };

  test.each<[string, Record<string, unknown>, string[], string[]]>([
    ['returns to a host', { redirect_uris: [URI] }, [], []],
    [
      'returns to a private scheme',
      { redirect_uris: ['com.example.app:/cb'] },
      ['subject_type'],
      ['subject_type'],
    ],
    [
      'returns to the host of another behind a private scheme',
      { redirect_uris: ['com.example.app://victim.example/cb'] },
      ['subject_type'],
      ['subject_type'],
    ],
    ['returns to the device', { redirect_uris: ['http://127.0.0.1/cb'] }, [], ['subject_type']],
    ['names a sector', { redirect_uris: ['com.example.app:/cb'], sector_identifier_uri: URI }, [], []],
    ['signs with keys at its host', { ...keys, token_endpoint_auth_method: 'private_key_jwt' }, [], []],
    [
      'names keys that it does not sign with',
      { ...keys, token_endpoint_auth_method: 'none' },
      [],
      ['subject_type'],
    ],
    ['has neither', { redirect_uris: [] }, ['subject_type'], ['subject_type']],
  ])('that %s', (_name, fields, missing, faults) => {
    const metadata = pairwise(fields);
    expect(fieldsOf(findMissingSector(metadata))).toEqual(missing);
    expect(fieldsOf(findSectorFaults({ metadata }, {}))).toEqual(faults);
    expect(findSectorFaults({ metadata: { ...metadata, subject_type: 'public' } }, {})).toEqual([]);
  });

  test('keeps the sector, and whether it is pairwise', () => {
    const before = pairwise({ redirect_uris: [URI] });
    const faultsOf = (metadata: Record<string, unknown>) =>
      fieldsOf(findSectorFaults({ metadata }, { before }));
    expect(faultsOf(pairwise({ redirect_uris: ['https://app.example/another'] }))).toEqual([]);
    expect(faultsOf(pairwise({ redirect_uris: ['https://victim.example/x'] }))).toEqual(['redirect_uris']);
    expect(faultsOf({ redirect_uris: [URI] })).toEqual(['subject_type']);
    const besideIt = (uri: string) => faultsOf(pairwise({ redirect_uris: [URI, uri] }));
    expect(besideIt('com.evil.app://app.example/cb')).toEqual(['subject_type']);
    const device = { ...keys, redirect_uris: [URI], token_endpoint_auth_method: 'private_key_jwt' };
    const moved = { ...device, jwks_uri: 'https://victim.example/jwks' };
    expect(fieldsOf(findSectorFaults({ metadata: pairwise(moved) }, { before: pairwise(device) }))).toEqual([
      'jwks_uri',
    ]);
  });
});
