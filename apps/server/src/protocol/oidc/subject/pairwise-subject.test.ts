import { expect, test } from 'vitest';
import { createPairwiseIdentifier } from './pairwise-subject.ts';

const subjectOf = (accountId: string, sectorIdentifier: string | undefined, salt = Buffer.alloc(32, 1)) =>
  createPairwiseIdentifier(salt)({} as never, accountId, { sectorIdentifier } as never);

test('a subject depends on the account, the sector and the salt, and on nothing else', () => {
  const subject = subjectOf('an-account', 'app.example');
  expect(subject).toBe('JF0tTPJVk94fF76Q-z6rPUqT4unaYcQUZn0CLFmMpvs');
  expect(subjectOf('another', 'app.example')).not.toBe(subject);
  expect(subjectOf('an-account', 'app.example:8443')).not.toBe(subject);
  expect(subjectOf('an-account', 'app.example', Buffer.alloc(32, 2))).not.toBe(subject);
  expect(() => subjectOf('an-account', undefined)).toThrow('a pairwise client has a sector');
});
