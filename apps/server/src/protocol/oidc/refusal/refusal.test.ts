import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { kindOf, kindsByText } from './error-kind.ts';
import { toMasked, toPlain } from './masked-text.ts';
import { describeMismatch, nearestFirst } from './nearest-uri.ts';
import { reasons } from './refusal-reason.ts';

/** Words that this server says itself, that the engine composes, or that come from jose: tests/oidc shows those. */
const OTHERS = [
  'authorization code already consumed',
  'device code already consumed',
  'no applicable key found in the JSON Web Key Set',
  'the client may not use this grant type',
  'too many wrong secrets from this network',
];

test('the engine still has the words by which refusals are told apart', () => {
  const engine = dirname(fileURLToPath(import.meta.resolve('oidc-provider')));
  const source = globSync('**/*.js', { cwd: engine })
    .map((file) => readFileSync(join(engine, file), 'utf8'))
    .join('\n')
    .replaceAll("\\'", "'");
  const known = new Set([...Object.keys(kindsByText), ...Object.keys(reasons)]);
  expect([...known].filter((text) => !source.includes(text)).toSorted()).toEqual(OTHERS);
});

test('a refusal is known by its most exact words, then by its error, then by what was asked', () => {
  const of = (error: string, texts: string[], more = {}) =>
    kindOf({ error, texts, grantType: undefined, isTheft: false, isEndedSecret: false, ...more });
  expect(of('invalid_client', ['jwt expired', 'client authentication failed'])).toBe('clock');
  expect(of('invalid_grant', ['code_verifier does not match code_challenge'])).toBe('wrong_verifier');
  expect(of('invalid_request', ['send code_challenge and …'])).toBe('missing_pkce');
  expect(of('invalid_client', ['invalid secret provided'], { isEndedSecret: true })).toBe('expired_secret');
  expect(of('invalid_scope', ['words that nobody foresaw'])).toBe('scope_not_registered');
  expect(of('invalid_grant', ['client mismatch'], { grantType: 'refresh_token' })).toBe(
    'refresh_token_unknown',
  );
  expect(of('invalid_grant', ['client mismatch'], { grantType: 'authorization_code' })).toBe('other');
  expect(of('server_error', [])).toBe('other');
});

test('a secret is shown by its first four characters and its length, a short one by its length', () => {
  expect(toMasked('s3cr3t-and-long')).toBe('s3cr… (15 characters)');
  expect(toMasked('s3cr3t')).toBe('… (6 characters)');
  expect(toMasked('\0\u202e\ud800x-and-long-enough')).toMatch(/^\ufffd.{3}… \(\d+ characters\)$/u);
});

test('what is shown can be stored, and is bounded', () => {
  expect(toPlain('a\0b\ud800c\n')).toBe('a\ufffdb\ufffdc\ufffd');
  expect(toPlain('x'.repeat(10_000))).toBe(`${'x'.repeat(500)}…`);
});

test('the registered URI that is most like the sent one comes first, with where it differs', () => {
  const registered = ['https://a.example/', 'https://b.example/callback', 'com.example.app:/callback'];
  expect(nearestFirst('https://b.example/callback/', registered)[0]).toBe('https://b.example/callback');
  expect(nearestFirst('com.example.app:/other', registered)[0]).toBe('com.example.app:/callback');
  const describeOf = (sent: string, of = registered) => describeMismatch('redirect_uri', sent, of);
  expect(describeOf('https://user@b.example/callback#x')).toMatch(/user name and fragment$/);
  expect(describeOf('https://B.example:443/./callback')).toMatch(/spelling$/);
  expect(describeOf('/callback')).toBe('redirect_uri is no absolute URI');
  expect(describeOf('https://b.example/', [])).toMatch(/none is registered/);
});
