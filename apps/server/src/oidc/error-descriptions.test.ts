import { expect, test } from 'vitest';
import { descriptions, refusedGrants, unexplainedGrants } from './error-descriptions.ts';

test('what is told of errors has only characters that an error_description may have (RFC 6749 section 5.2)', () => {
  const texts = [
    ...Object.values(refusedGrants).map(({ text }) => text),
    ...Object.values(unexplainedGrants),
    ...Object.values(descriptions).filter((text) => typeof text === 'string'),
  ];
  expect(texts.length).toBeGreaterThan(20);
  for (const text of texts) expect(text).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
});
