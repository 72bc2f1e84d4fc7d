import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../testing/databases.ts';
import { createCommandRunner } from '../../../testing/run-command.ts';
import { loadSigningKeys } from '../../link/signing-key/signing-key.service.ts';
import { readConfig } from '../config/config.ts';

const [OLD, NEW] = ['old'.repeat(11), 'new'.repeat(11)];

test('secrets rotate tells which key can go, and never that a new one at the end of the list can', async () => {
  const connection = await openTestDatabase();
  await loadSigningKeys({ db: connection.db, secretKeys: [OLD] });
  const rotate = async (...secretKeys: string[]) => {
    const config = readConfig({ SECRET_KEY: secretKeys.join(','), COOKIE_KEYS: 'c'.repeat(32) });
    const { out } = await createCommandRunner({ config, connection })('secrets', 'rotate', '--yes');
    return out.split('\n').slice(1, -1);
  };
  const eitherWay =
    'nothing is sealed under key 2 of SECRET_KEY: if it was in front before, it can go. If it is the new one, keep it, and put it in front';
  expect(await rotate(OLD, NEW)).toEqual([eitherWay]);
  expect(await rotate(NEW, OLD)).toEqual(['nothing is sealed under key 2 of SECRET_KEY any more: it can go']);
  expect(await rotate(NEW, OLD)).toEqual([eitherWay]);
  expect(await rotate(NEW)).toEqual([]);
  await connection.close();
});
