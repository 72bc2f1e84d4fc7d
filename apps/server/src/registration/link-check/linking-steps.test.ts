import { expect, test } from 'vitest';
import { judgeIssuer } from './linking-steps.ts';

test.each([
  ['https://id.lights.example', undefined],
  ['https://93.184.215.14', undefined],
  ['http://id.lights.example', 'issuer_not_https'],
  ['http://localhost:3000', 'issuer_not_https'],
  ['https://localhost', 'issuer_not_public'],
  ['https://candela.internal', 'issuer_not_public'],
  ['https://10.0.0.7:8443', 'issuer_not_public'],
  ['https://[::1]', 'issuer_not_public'],
])('%s is warned of: %s', (issuer, problem) => {
  expect(judgeIssuer({ issuer }).findings?.map((finding) => finding.problem)).toEqual(
    problem === undefined ? [] : [problem],
  );
});
