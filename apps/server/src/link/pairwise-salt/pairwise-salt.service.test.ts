import type { Kysely } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import type { Database } from '../../ground/db/database.ts';
import { loadPairwiseSalt } from './pairwise-salt.service.ts';

const secret = (name: string) => `${name} secret key that is long enough for it`;

describeOnDatabases('the pairwise salt', (connection) => {
  let db: Kysely<Database>;
  beforeAll(async () => {
    db = connection.db;
  });

  test('parallel first starts make one salt, which the database stores encrypted', async () => {
    const secretKeys = [secret('first')];
    const starts = await Promise.all(Array.from({ length: 8 }, () => loadPairwiseSalt({ db, secretKeys })));
    const [salt] = starts;
    expect(salt).toHaveLength(32);
    for (const start of starts) expect(start).toEqual(salt);
    const rows = await db.selectFrom('pairwise_salt').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(salt?.toString('base64url'));
  });

  test('the salt stays when SECRET_KEY rotates', async () => {
    const salt = await loadPairwiseSalt({ db, secretKeys: [secret('first')] });
    await expect(loadPairwiseSalt({ db, secretKeys: [secret('second')] })).rejects.toThrow(
      'SECRET_KEY does not open the salt of pairwise subjects',
    );
    expect(await loadPairwiseSalt({ db, secretKeys: [secret('second'), secret('first')] })).toEqual(salt);
    expect(await loadPairwiseSalt({ db, secretKeys: [secret('first'), secret('second')] })).toEqual(salt);
    await expect(loadPairwiseSalt({ db, secretKeys: [] })).rejects.toThrow('SECRET_KEY is empty');
  });
});
