import { expect, test, vi } from 'vitest';

const kids = vi.hoisted(() => ['-would-be-an-option', 'first', 'second', '-again', 'third', 'fourth']);
vi.mock('node:crypto', async (original) => ({
  ...(await original<typeof import('node:crypto')>()),
  hash: () => kids.shift(),
}));

import { openPglite } from '../../../testing/databases.ts';
import { loadSigningKeys } from './signing-key.service.ts';

test('no kid looks like an option of the command line', async () => {
  const connection = await openPglite();
  const keys = await loadSigningKeys({ db: connection.db, secretKeys: ['a secret key of the test'] });
  expect(keys.map(({ kid }) => kid).toSorted()).toEqual(['first', 'fourth', 'second', 'third']);
  await connection.close();
}, 60_000);
