import { migrations } from '@candela/migrations';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRegistrations } from '../../../testing/registrations.ts';
import { type Connection, connectInMemory } from '../../ground/db/connect.ts';
import { migrate } from '../../ground/db/migrate.ts';
import { createSecretHashes } from './secret-hashes.ts';

const SECRET = 'a-secret-from-before-there-was-a-table';
const secretKeys = ['a secret key of the test'];

let connection: Connection;
beforeAll(async () => {
  connection = await connectInMemory();
});
afterAll(() => connection.close());

test('a secret that a client had in its metadata works on, from the table of secrets', async () => {
  const { db } = connection;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  await migrator.migrateTo('0021-bound-since');
  const hash = createSecretHashes({ secretKeys }).hashOf(SECRET);
  const metadata = { client_id: 'old', client_secret: hash, redirect_uris: ['https://old.example/'] };
  await sql`insert into client (id, metadata) values ('old', ${JSON.stringify(metadata)}::jsonb), ('open', '{}')`.execute(
    db,
  );
  await migrate(db);

  const { clients, apply } = createRegistrations(db, { secretKeys });
  const found = await clients.findClient('old', 'aurelia');
  if (!found) throw new Error('the client is unknown');
  expect(found.metadata).not.toHaveProperty('client_secret');
  expect(clients.judgeSecret(found, SECRET)).toBe('right');
  expect(clients.judgeSecret(found, hash)).toBe('wrong');
  const { client_secret: _hash, ...entry } = metadata;
  expect(await apply([{ ...entry, client_secret: SECRET }])).toMatchObject([{ outcome: 'unchanged' }]);
  expect(await db.selectFrom('client_secret').select(['client_id', 'name']).execute()).toEqual([
    { client_id: 'old', name: 'registered' },
  ]);
});
