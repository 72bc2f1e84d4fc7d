import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '../db/connect.ts';
import type { Database } from '../db/database.ts';
import { openTestDatabases } from '../db/testing.ts';
import { deriveKey, open as openSealed, seal } from '../seal.ts';
import { loadSigningKeys } from './signing-key.service.ts';

const secret = (name: string) => `${name} secret key that is long enough for it`;

describe.each(openTestDatabases())('on $name', ({ open }) => {
  let connection: Connection;
  let db: Kysely<Database>;
  beforeAll(async () => {
    connection = await open();
    db = connection.db;
  });
  afterAll(() => connection.close());

  test('parallel first starts make one key of each algorithm and all load the same', async () => {
    const secretKeys = [secret('first')];
    const starts = await Promise.all(Array.from({ length: 8 }, () => loadSigningKeys({ db, secretKeys })));
    const [keys = []] = starts;
    expect(keys.map((key) => [key.alg, key.kty, key.use])).toEqual([
      ['RS256', 'RSA', 'sig'],
      ['ES256', 'EC', 'sig'],
    ]);
    for (const start of starts) expect(start).toEqual(keys);
    expect(await loadSigningKeys({ db, secretKeys })).toEqual(keys);
    const rows = await db.selectFrom('signing_key').selectAll().execute();
    expect(rows).toHaveLength(2);
    for (const key of keys) expect(JSON.stringify(rows)).not.toContain(String(key.d));
  });

  test('another SECRET_KEY does not open them, a list that has the old one does', async () => {
    const other = secret('another');
    await expect(loadSigningKeys({ db, secretKeys: [other] })).rejects.toThrow(
      /SECRET_KEY does not open the signing key [\w-]+ that is in the database/,
    );
    const keys = await loadSigningKeys({ db, secretKeys: [other, secret('first')] });
    expect(keys).toEqual(await loadSigningKeys({ db, secretKeys: [secret('first')] }));
    expect(await db.selectFrom('signing_key').select('kid').execute()).toHaveLength(2);
    await expect(loadSigningKeys({ db, secretKeys: [] })).rejects.toThrow('SECRET_KEY is empty');
  });

  test('the current key of an algorithm comes before the next and the previous one', async () => {
    const key = deriveKey(secret('first'), 'signing keys');
    const [current] = await loadSigningKeys({ db, secretKeys: [secret('first')] });
    const row = await db
      .selectFrom('signing_key')
      .selectAll()
      .where('kid', '=', String(current?.kid))
      .executeTakeFirstOrThrow();
    const jwk = JSON.parse(openSealed(key, row.sealed_jwk));
    for (const status of ['previous', 'next'] as const) {
      await db
        .insertInto('signing_key')
        .values({
          kid: status,
          alg: 'RS256',
          status,
          sealed_jwk: seal(key, JSON.stringify({ ...jwk, kid: status })),
        })
        .execute();
    }
    await sql`update signing_key set created_at = now() + interval '1 day' where status <> 'current'`.execute(
      db,
    );
    const keys = await loadSigningKeys({ db, secretKeys: [secret('first')] });
    expect(keys.map(({ kid, alg }) => (kid === 'next' || kid === 'previous' ? kid : alg))).toEqual([
      'RS256',
      'ES256',
      'next',
      'previous',
    ]);
  });
});
