import { type Kysely, sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { createRegistrations } from '../../../testing/registrations.ts';
import { connectInMemory } from '../../ground/db/connect.ts';
import type { Database } from '../../ground/db/database.ts';
import { opens, openWithAny, seal, sealingKeys } from '../../ground/seal.ts';
import { StartError } from '../../ground/start-error.ts';
import { loadPairwiseSalt } from '../../link/pairwise-salt/pairwise-salt.service.ts';
import {
  loadSigningKeys,
  revokeSigningKey,
  rotateSigningKeys,
} from '../../link/signing-key/signing-key.service.ts';
import { messageSealing } from '../../person/delivery/message-queue.ts';
import { totpSealing } from '../../person/second-factor/totp-sealing.ts';
import { loadKeptKeys, loadNonceKey } from './kept-key.service.ts';
import { sealedColumns } from './sealed-columns.ts';
import { countSealedByKey, requireSecretKey, sealSecretsAnew } from './secret-key.service.ts';

const OLD = 'the old secret key that is long enough';
const NEW = 'the new secret key that is long enough';
const app = {
  client_id: 'app',
  client_secret: 'a-secret-of-the-app-for-tests-only',
  redirect_uris: ['https://app.example/callback'],
};

test('a database without a schema accepts any SECRET_KEY', async () => {
  const connection = await connectInMemory();
  await expect(requireSecretKey({ db: connection.db, secretKeys: [OLD] })).resolves.toBeUndefined();
  await connection.close();
});

describeOnDatabases('SECRET_KEY', (connection) => {
  let db: Kysely<Database>;
  beforeEach(async () => {
    db = connection.db;
    const written = [
      'totp',
      'account',
      'message',
      'client',
      'signing_key',
      'pairwise_salt',
      'kept_key',
    ] as const;
    for (const table of written) await db.deleteFrom(table).execute();
  });

  /** The rows that a process with these keys makes at its first start. */
  const start = async (secretKeys: readonly string[]) => ({
    salt: await loadPairwiseSalt({ db, secretKeys }),
    nonceKey: await loadNonceKey({ db, secretKeys }),
    keys: await loadSigningKeys({ db, secretKeys }),
  });
  const clientsOf = async (secretKeys: readonly string[]) =>
    createRegistrations(db, {
      secretKeys,
      formerHashKeys: await loadKeptKeys({ db, secretKeys }, 'client secrets'),
    });
  const accepts = async (secretKeys: readonly string[], secret = app.client_secret) => {
    const { clients } = await clientsOf(secretKeys);
    const client = await clients.findClient('app', 'aurelia');
    return client && clients.judgeSecret(client, secret) === 'right';
  };
  const snapshot = async () =>
    JSON.stringify([
      await db.selectFrom('signing_key').selectAll().orderBy('kid').execute(),
      await db.selectFrom('pairwise_salt').selectAll().execute(),
      await db.selectFrom('client').selectAll().execute(),
      await db.selectFrom('client_secret').selectAll().execute(),
    ]);

  test('another SECRET_KEY is refused by the name of the setting, and neither rotation nor revocation writes with it', async () => {
    const { keys } = await start([OLD]);
    const before = await snapshot();
    const wrong = { db, secretKeys: [NEW] };
    await expect(requireSecretKey(wrong)).rejects.toThrow(StartError);
    await expect(requireSecretKey(wrong)).rejects.toThrow(
      /^SECRET_KEY does not open the signing key [\w-]+ and \d+ more in this database/,
    );
    await expect(rotateSigningKeys(wrong)).rejects.toThrow('SECRET_KEY does not open');
    await expect(revokeSigningKey(wrong, keys[2]?.kid ?? '')).rejects.toThrow('SECRET_KEY does not open');
    expect(await snapshot()).toBe(before);
    await expect(requireSecretKey({ db, secretKeys: [NEW, OLD] })).resolves.toBeUndefined();
  });

  test('while a new key is appended and then moved to the front, a secret applied by any process is valid at every process', async () => {
    await start([OLD]);
    const everyone = [[OLD], [OLD, NEW], [NEW, OLD]];
    for (const [applying, ...running] of [
      [[OLD], [OLD, NEW]],
      [[OLD, NEW], [OLD], [NEW, OLD]],
      [
        [NEW, OLD],
        [OLD, NEW],
      ],
    ]) {
      await (await clientsOf(applying ?? [])).apply([app]);
      for (const keys of running) expect(await accepts(keys), `${applying} then ${keys}`).toBe(true);
    }
    // First applied under the old key and never hashed again: processes that know only the old key accept it too.
    for (const keys of everyone) expect(await accepts(keys)).toBe(true);
    expect(await accepts([NEW, OLD], 'another-secret-that-is-long-enough')).toBe(false);
  });

  test('a changed secret is hashed under the first key of the list', async () => {
    await (await clientsOf([OLD])).apply([app]);
    await (await clientsOf([NEW, OLD])).apply([
      { ...app, client_secret: 'another-secret-that-is-long-enough' },
    ]);
    expect(await accepts([NEW], 'another-secret-that-is-long-enough')).toBe(true);
    expect(await accepts([NEW, OLD])).toBe(false);
  });

  test('after sealing anew, no row needs the old key', async () => {
    const made = await start([OLD]);
    await (await clientsOf([OLD])).apply([app]);
    const now = new Date();
    const [sealing] = sealingKeys([OLD], messageSealing);
    const message = {
      id: 'a-message',
      channel: 'sms' as const,
      topic: null,
      sealed: seal(sealing, '{}'),
      due_at: new Date(),
      expires_at: new Date(Date.now() + 60_000),
    };
    await db.insertInto('message').values(message).execute();
    const account = {
      id: 'ada',
      status: 'active' as const,
      nickname: 'Ada',
      locale: 'en' as const,
      created_at: now,
      updated_at: now,
    };
    await db.insertInto('account').values(account).execute();
    const [totpKey] = sealingKeys([OLD], totpSealing);
    const totp = {
      account_id: 'ada',
      sealed_secret: seal(totpKey, 'SECRET'),
      started_at: now,
      active_since: now,
    };
    await db
      .insertInto('totp')
      .values({ ...totp, session_uid: null })
      .execute();

    const rolling = { db, secretKeys: [NEW, OLD] };
    expect((await countSealedByKey(rolling))[1]).toBeGreaterThan(5);
    const counts = await Promise.all([sealSecretsAnew(rolling), sealSecretsAnew(rolling)]);
    expect(counts[0] + counts[1]).toBeGreaterThan(5);
    expect((await countSealedByKey(rolling)).slice(1)).toEqual([0, 0]);
    expect(await sealSecretsAnew(rolling)).toBe(0);

    // Processes that still have the old key in front continue.
    await expect(requireSecretKey({ db, secretKeys: [OLD, NEW] })).resolves.toBeUndefined();
    await expect(requireSecretKey({ db, secretKeys: [NEW] })).resolves.toBeUndefined();
    expect(await start([NEW])).toEqual(made);
    expect(await accepts([NEW])).toBe(true);
    const { sealed } = await db.selectFrom('message').select('sealed').executeTakeFirstOrThrow();
    expect(opens(sealingKeys([NEW], messageSealing), sealed)).toBe(true);
    const { sealed_secret } = await db.selectFrom('totp').select('sealed_secret').executeTakeFirstOrThrow();
    expect(openWithAny(sealingKeys([NEW], totpSealing), sealed_secret)).toBe('SECRET');
    await expect(requireSecretKey({ db, secretKeys: [OLD] })).rejects.toThrow('SECRET_KEY does not open');
  });

  test('PL21: sealing anew that is ended in the middle is finished by the next run, and every row opens meanwhile', async () => {
    await start([OLD]);
    const rolling = { db, secretKeys: [NEW, OLD] };
    const [total = 0] = await countSealedByKey({ db, secretKeys: [OLD] });
    const ending = new AbortController();
    const onProgress = ({ seen }: { seen: number }) => {
      if (seen === 2) ending.abort(new Error('killed'));
    };
    await expect(sealSecretsAnew(rolling, { onProgress, signal: ending.signal })).rejects.toThrow('killed');
    const kept = 2;
    // Beside the rows of the first start there are the kept keys of the old SECRET_KEY, sealed under the new one.
    expect(await countSealedByKey(rolling)).toEqual([2 + kept, total - 2, 0]);
    for (const secretKeys of [
      [NEW, OLD],
      [OLD, NEW],
    ])
      await expect(requireSecretKey({ db, secretKeys })).resolves.toBeUndefined();
    expect(await sealSecretsAnew(rolling)).toBe(total - 2);
    expect(await countSealedByKey(rolling)).toEqual([total + kept, 0, 0]);
    await start([NEW]);
  });

  test('PL21: every sealed column of the schema is sealed anew, or sealed by something else than SECRET_KEY', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = current_schema() and column_name ~ 'seal'`.execute(db);
    // The successor of a refresh token is sealed by the value of its predecessor.
    const byOthers = ['refresh_token.sealed_value'];
    const known = Object.entries(sealedColumns).map(
      ([kind, { table = kind, column }]) => `${table}.${column}`,
    );
    expect(rows.map(({ name }) => name).toSorted()).toEqual([...known, ...byOthers].toSorted());
  });

  test('a client whose secret was hashed under a retired key is unchanged when applied again', async () => {
    await start([OLD]);
    await (await clientsOf([OLD])).apply([app]);
    await sealSecretsAnew({ db, secretKeys: [NEW, OLD] });
    const apply = async () => (await clientsOf([NEW])).apply([app]);
    expect(await apply()).toMatchObject([
      { changes: [{ field: 'client_secret', note: 'the same, hashed under the newest SECRET_KEY' }] },
    ]);
    expect(await apply()).toMatchObject([{ outcome: 'unchanged' }]);
    expect(await accepts([NEW])).toBe(true);
  });

  test('removing an old key too early is refused before anything is written', async () => {
    await start([OLD]);
    await (await clientsOf([OLD])).apply([app]);
    const before = await snapshot();
    await expect(requireSecretKey({ db, secretKeys: [NEW] })).rejects.toThrow('SECRET_KEY does not open');
    expect(await snapshot()).toBe(before);
  });

  test('every process makes the same DPoP nonces, whichever key is first in its list', async () => {
    const starts = await Promise.all(
      Array.from({ length: 6 }, () => loadNonceKey({ db, secretKeys: [OLD, NEW] })),
    );
    expect(starts[0]).toHaveLength(32);
    for (const key of [...starts, await loadNonceKey({ db, secretKeys: [NEW, OLD] })])
      expect(key).toEqual(starts[0]);
  });

  test('the rows of a first start are not sealed under an unknown key in front of the key in use', async () => {
    await loadPairwiseSalt({ db, secretKeys: [OLD] });
    const mistaken = { db, secretKeys: [NEW, OLD] };
    const made = { nonceKey: await loadNonceKey(mistaken), keys: await loadSigningKeys(mistaken) };
    await expect(requireSecretKey({ db, secretKeys: [OLD] })).resolves.toBeUndefined();
    expect(await start([OLD])).toMatchObject(made);
  });
});
