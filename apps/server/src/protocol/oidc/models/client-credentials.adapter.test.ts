import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPglite } from '../../../../testing/databases.ts';
import { createProbe, createStore, inSeconds, secretKeys } from '../../../../testing/protocol-store.ts';
import { createRegistrations } from '../../../../testing/registrations.ts';
import type { Connection } from '../../../ground/db/connect.ts';
import { bitsOfOpaqueRandomness } from '../token/opaque-length.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await openPglite();
});
afterAll(() => connection.close());

/** An id in the engine’s form: a character for 6 bits. */
const idOf = (kind: string): string => {
  const length = Math.ceil(bitsOfOpaqueRandomness({} as never, { kind }) / 6);
  return randomBytes(64).toString('base64url').slice(0, length);
};

test('looking up another kind of token does not search the tokens of machines', async () => {
  const { probe, db } = createProbe(connection.db);
  const { adapter } = createStore(db);
  for (const kind of ['AccessToken', 'RefreshToken'])
    expect(await adapter('ClientCredentials').find(idOf(kind))).toBeUndefined();
  expect(probe.statements).toBe(0);
});

test('a machine’s token is found while its client exists, in its own brand only', async () => {
  const { clients, apply, setDisabled } = createRegistrations(connection.db, { secretKeys });
  const { adapter } = createStore(connection.db, { clients });
  const id = idOf('ClientCredentials');
  const payload = { kind: 'ClientCredentials', clientId: 'machine', scope: 'read', exp: inSeconds(600) };
  await apply([
    {
      client_id: 'machine',
      client_secret: 'a-long-random-secret-of-the-app-alone',
      grant_types: ['client_credentials'],
      redirect_uris: [],
    },
  ]);
  await adapter('ClientCredentials').upsert(id, payload, 600);
  expect(await adapter('ClientCredentials').find(id)).toMatchObject({ clientId: 'machine', scope: 'read' });
  const there = createStore(connection.db, { brand: 'nocturne', clients });
  expect(await there.adapter('ClientCredentials').find(id)).toBeUndefined();
  await setDisabled('machine', true);
  await adapter('ClientCredentials').upsert(id, payload, 600);
  expect(await adapter('ClientCredentials').find(id)).toBeUndefined();
});
