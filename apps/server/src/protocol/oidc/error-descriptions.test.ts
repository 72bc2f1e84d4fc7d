import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { descriptions, refusedGrants, unexplainedGrants } from './error-descriptions.ts';

test('error descriptions use only the characters of error_description (RFC 6749 section 5.2)', () => {
  const texts = [
    ...Object.values(refusedGrants).map(({ text }) => text),
    ...Object.values(unexplainedGrants),
    ...Object.values(descriptions).filter((text) => typeof text === 'string'),
  ];
  expect(texts.length).toBeGreaterThan(20);
  for (const text of texts) expect(text).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
});

/** Errors that this server raises itself, with the engine’s descriptions. */
const OURS = ['authorization code already consumed', 'the client may not use this grant type'];

test('the engine still has each description that is replaced', () => {
  const engine = dirname(fileURLToPath(import.meta.resolve('oidc-provider')));
  const source = globSync('**/*.js', { cwd: engine })
    .map((file) => readFileSync(join(engine, file), 'utf8'))
    .join('\n')
    .replaceAll("\\'", "'");
  const said = [...Object.keys(refusedGrants), ...Object.keys(descriptions)];
  expect(said.filter((text) => !source.includes(text))).toEqual(OURS);
});
