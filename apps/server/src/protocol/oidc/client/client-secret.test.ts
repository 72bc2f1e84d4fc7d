import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPglite } from '../../../../testing/databases.ts';
import { startEngine } from '../../../../testing/engine.ts';
import { CLIENT, insertAccount } from '../../../../testing/protocol-store.ts';
import type { Connection } from '../../../ground/db/connect.ts';
import type { Database } from '../../../ground/db/database.ts';

let connection: Connection;
let db: Kysely<Database>;
beforeAll(async () => {
  connection = await openPglite();
  db = connection.db;
  await insertAccount(db);
});
afterAll(() => connection.close());

test.each(['client_secret_basic', 'client_secret_post'])(
  'a stored hash opens by %s to its secret alone, and never to itself',
  async (method) => {
    const engine = await startEngine(db, { client: { token_endpoint_auth_method: method } });
    const { hash: stored } = await db
      .selectFrom('client_secret')
      .select('hash')
      .where('client_id', '=', CLIENT)
      .executeTakeFirstOrThrow();
    expect(stored).not.toContain('a-client-secret-of-the-test-alone');
    const known = { status: 200, body: { active: false } };
    expect(await engine.introspect('unknown')).toEqual(known);
    for (const secret of [stored, `${stored}=`, 'a client secret of the tesT']) {
      const answer = await engine.post('/oauth/introspect', { token: 'unknown' }, secret);
      expect(answer, secret).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    }
    await engine.close();
  },
);
