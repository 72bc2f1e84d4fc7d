import { createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { ACCOUNT, insertAccount } from '../../../testing/protocol-store.ts';
import { recordEvents } from '../../../testing/recorded-events.ts';
import { createRegistrations } from '../../../testing/registrations.ts';
import { createResourceServerService } from '../../clients/resource-server/resource-server.service.ts';
import { createChangeFeed } from '../../ground/db/change-feed.ts';
import { createLogger } from '../../ground/logger.ts';
import { deriveKey } from '../../ground/seal.ts';
import { deleteModelsOfClient } from '../../link/oidc-model/oidc-model.repository.ts';

describeOnDatabases('clients', (connection) => {
  const serviceOf = () => createRegistrations(connection.db, { secretKeys: ['a secret key of the test'] });
  const entry = (id: string, more: Record<string, unknown> = {}) => ({
    client_id: id,
    client_secret: 'a-secret-of-the-app-for-tests-only',
    redirect_uris: ['https://app.example/callback'],
    ...more,
  });

  test('a new secret must be long enough, and a short secret already in use is accepted with a warning', async () => {
    const short = {
      client_id: 'short',
      redirect_uris: ['https://short.example/'],
      client_secret: 's'.repeat(31),
    };
    const clients = serviceOf();
    await expect(clients.apply([short])).rejects.toThrow(
      'client "short" .client_secret is shorter than 32 characters: make one with "openssl rand -hex 32"',
    );
    await clients.apply([{ ...short, client_secret: 's'.repeat(32) }]);
    const hashed = (secret: string) =>
      createHmac('sha256', deriveKey('a secret key of the test', 'client secrets'))
        .update(secret)
        .digest('base64url');
    await connection.db
      .updateTable('client_secret')
      .set({ hash: hashed('x') })
      .where('client_id', '=', 'short')
      .execute();
    const held = { ...short, client_secret: 'x', client_name: 'Short' };
    const warnings = [
      'client "short" .client_secret is shorter than 32 characters: it goes on, but give the app a longer one',
    ];
    expect(await clients.apply([held])).toMatchObject([{ outcome: 'changed', warnings }]);
    expect(await clients.apply([held])).toMatchObject([{ outcome: 'unchanged', warnings }]);
    await expect(clients.apply([{ ...held, client_secret: 'y' }])).rejects.toThrow('is shorter than');
    await connection.db.deleteFrom('client').execute();
  });

  test('a warning names characters of a secret that many apps send wrongly', async () => {
    const warningOf = async (client_secret: string) => {
      const [told] = await serviceOf().apply([entry('app', { client_secret })], { dryRun: true });
      return told?.warnings;
    };
    const random = randomBytes(32);
    expect(await warningOf(random.toString('hex'))).toEqual([]);
    expect(await warningOf(random.toString('base64url'))).toEqual([]);
    expect(await warningOf(`a:b%c+d&e f ü ${'x'.repeat(32)}`)).toEqual([
      expect.stringContaining(
        'client "app" .client_secret has ":", "%", "+", "&", spaces, and characters that are not ASCII: "curl -u"',
      ),
    ]);
  });

  test('a scope that nobody has is taken with a warning, until its API is registered', async () => {
    const { apply } = serviceOf();
    const told = async (scopes: Record<string, unknown>, options?: { dryRun: boolean }) =>
      (await apply([entry('switches', scopes)], options)).flatMap(({ warnings }) => warnings);
    const typed = { scope: 'openid clients ssf.read light:swich', optional_scopes: 'light:dimm' };
    const warnings = [
      'client "switches" .scope has "light:swich", which is no scope of the account or of an API',
      'client "switches" .optional_scopes has "light:dimm", which is no scope of the account or of an API',
    ];
    expect(await told(typed, { dryRun: true })).toEqual(warnings);
    expect(await told(typed)).toEqual(warnings);
    expect(await told(typed)).toEqual(warnings);
    const resourceServers = createResourceServerService({ db: connection.db });
    await resourceServers.applyResourceServers([
      {
        identifier: 'https://lights.example/',
        name: 'Lights',
        scopes: [{ name: 'light:swich' }, { name: 'light:dimm' }],
      },
    ]);
    expect((await serviceOf().apply([entry('switches', typed)])).flatMap((one) => one.warnings)).toEqual([]);
    await connection.db.deleteFrom('resource_server').execute();
    await connection.db.deleteFrom('client').execute();
  });

  test('the change of an entry is shown field by field, without its secret, and a dry run writes nothing', async () => {
    const service = serviceOf();
    const first = { ...entry('told'), client_name: 'Told', scope: 'openid' };
    expect(await service.apply([first], { dryRun: true })).toEqual([
      { id: 'told', outcome: 'added', changes: [], warnings: [] },
    ]);
    expect(await service.clients.listClients()).toEqual([]);
    expect(await service.apply([first])).toMatchObject([{ outcome: 'added' }]);
    const { scope: _scope, ...next } = {
      ...first,
      client_name: 'Anew',
      first_party: true,
      disabled: true,
      client_secret: 'another-secret-that-is-long-enough',
    };
    const changed = {
      id: 'told',
      outcome: 'changed',
      changes: [
        { field: 'client_name', from: 'Told', to: 'Anew' },
        { field: 'client_secret', note: 'another one' },
        { field: 'disabled', from: false, to: true },
        { field: 'first_party', from: false, to: true },
        { field: 'scope', from: 'openid' },
      ],
      warnings: [],
    };
    expect(await service.apply([next], { dryRun: true })).toEqual([changed]);
    expect(await service.clients.findClient('told', 'aurelia')).toMatchObject({
      metadata: { client_name: 'Told' },
    });
    expect(await service.apply([next])).toEqual([changed]);
    expect(await service.apply([next], { dryRun: true })).toMatchObject([{ outcome: 'unchanged' }]);
    await connection.db.deleteFrom('client').execute();
  });

  test('a file is applied whole or not at all', async () => {
    const service = serviceOf();
    await expect(
      service.apply([entry('whole'), entry('part', { client_name: 'A\u0000' })]),
    ).rejects.toThrow();
    await expect(service.apply([entry('whole'), { client_id: 'an app' }])).rejects.toThrow();
    expect(await service.clients.listClients()).toEqual([]);
  });

  test('each change logs one event', async () => {
    const events = recordEvents();
    const service = createRegistrations(connection.db, { secretKeys: ['k'], events });
    await service.apply([entry('told')]);
    await service.apply([entry('told')]);
    await service.apply([entry('told', { disabled: true })]);
    await service.setDisabled('told', true);
    await service.setDisabled('told', false);
    expect(events.all).toEqual([
      { event: 'client.created', clientId: 'told' },
      { event: 'client.disabled', clientId: 'told' },
      { event: 'client.enabled', clientId: 'told' },
    ]);
    await connection.db.deleteFrom('client').execute();
  });

  test('applying twice changes nothing, and a changed entry is seen at once', async () => {
    const service = serviceOf();
    expect(await service.apply([entry('b'), entry('a')])).toMatchObject([
      { id: 'b', outcome: 'added' },
      { id: 'a', outcome: 'added' },
    ]);
    expect(await service.apply([entry('b'), entry('a')])).toMatchObject([
      { outcome: 'unchanged', changes: [] },
      { outcome: 'unchanged', changes: [] },
    ]);
    expect((await service.clients.listClients()).map(({ id }) => id)).toEqual(['a', 'b']);
    expect((await service.clients.findClient('a', 'aurelia'))?.metadata.client_name).toBeUndefined();
    await service.apply([entry('a', { client_name: 'Anew', brand: 'aurelia' })]);
    expect(await service.clients.findClient('a', 'aurelia')).toMatchObject({
      metadata: { client_name: 'Anew' },
    });
    expect(await service.clients.findClient('a', 'borealis')).toBeUndefined();
  });

  test('is read once while the change feed is live, and again when another process changes it', async () => {
    const changes = await createChangeFeed(connection, createLogger('silent'));
    await vi.waitUntil(changes.isLive);
    const hearing = createRegistrations(connection.db, { secretKeys: ['k'], changes }).clients;
    const told = new Set<string | undefined>();
    changes.on('client', (id) => told.add(id));
    await serviceOf().apply([entry('kept')]);
    await vi.waitUntil(() => told.has('kept'));
    const kept = await hearing.findClient('kept', 'aurelia');
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_600_000);
    expect(await hearing.findClient('kept', 'aurelia')).toBe(kept);
    clock.mockRestore();
    await serviceOf().apply([entry('kept', { client_name: 'Anew' })]);
    await vi.waitUntil(
      async () => (await hearing.findClient('kept', 'aurelia'))?.metadata.client_name === 'Anew',
    );
    await changes.close();
  });

  test('is unknown from its disabling until its enabling, whatever is applied in between', async () => {
    const service = serviceOf();
    await service.apply([entry('switched')]);
    expect(await service.clients.findClient('switched', 'aurelia')).toBeDefined();
    expect(await service.setDisabled('switched', true)).toBe(true);
    expect(await service.clients.findClient('switched', 'aurelia')).toBeUndefined();
    await service.apply([entry('switched', { client_name: 'Anew' })]);
    expect(await service.clients.findClient('switched', 'aurelia')).toBeUndefined();
    expect((await service.clients.listClients()).find(({ id }) => id === 'switched')).toMatchObject({
      disabled: true,
    });
    await service.apply([entry('switched', { disabled: false })]);
    expect(await service.clients.findClient('switched', 'aurelia')).toBeDefined();
    await insertAccount(connection.db);
    const place = { brand: 'aurelia', client_id: 'switched', user_agent: '', address: '', locale: 'en' };
    const held = { ...place, account_id: ACCOUNT, payload: '{}', scope: 'openid', has_refresh_token: true };
    const expires_at = new Date(Date.now() + 60_000);
    await connection.db
      .insertInto('authorization_grant')
      .values(['one', 'other'].map((id) => ({ ...held, id, expires_at })))
      .execute();
    const off = [entry('switched', { disabled: true })];
    const ends = [
      { warnings: ['client "switched" .disabled ends its 2 links for good: enabling brings none back'] },
    ];
    expect(await service.apply(off, { dryRun: true })).toMatchObject(ends);
    expect(await service.apply(off)).toMatchObject(ends);
    expect(await service.apply(off)).toMatchObject([{ outcome: 'unchanged', warnings: [] }]);
    expect(await service.clients.findClient('switched', 'aurelia')).toBeUndefined();
    await expect(service.setDisabled('nobody', true)).rejects.toThrow('not_found');
  });

  test('is stored with its preset written out, and a refused preset changes nothing', async () => {
    const service = serviceOf();
    const skill = {
      client_id: 'skill',
      client_secret: 'a-secret-of-the-skill-for-tests-only',
      preset: 'alexa',
    };
    await service.apply([{ ...skill, vendor_id: 'M2EXAMPLE1234' }]);
    const kept = (await service.clients.findClient('skill', 'aurelia'))?.metadata;
    expect(kept).toMatchObject({ preset: 'alexa', require_pkce: false, refresh_mode: 'overlap' });
    expect(JSON.stringify(await service.clients.findClient('skill', 'aurelia'))).not.toContain(
      skill.client_secret,
    );
    await expect(service.apply([{ ...skill, vendor_id: 'M2OTHER12345' }, skill])).rejects.toThrow(
      'client "skill" .vendor_id is missing',
    );
    expect((await service.clients.findClient('skill', 'aurelia'))?.metadata).toEqual(kept);
  });

  test('processes that apply the same clients in different orders do not deadlock', async () => {
    const [one, other] = [serviceOf(), serviceOf()];
    const entries = Array.from({ length: 20 }, (_, index) => entry(`app-${index}`));
    await Promise.all([one.apply(entries), other.apply(entries.toReversed())]);
    expect(await one.clients.listClients()).toHaveLength(25);
  });

  test('an unchanged client is not written again, so that no process is notified', async () => {
    const service = serviceOf();
    const versionOf = async () => {
      const { rows } = await sql<{ xmin: string }>`select xmin::text from client where id = 'same'`.execute(
        connection.db,
      );
      return rows[0]?.xmin;
    };
    await service.apply([entry('same', { brand: 'aurelia' })]);
    const first = await versionOf();
    await service.apply([entry('same', { brand: 'aurelia' })]);
    expect(await versionOf()).toBe(first);
    await service.apply([entry('same')]);
    expect(await versionOf()).not.toBe(first);
    expect(await service.clients.findClient('same', 'borealis')).toBeDefined();
  });

  test('disabling deletes the client’s dependent rows in batches, by an index, except for used single-use rows', async () => {
    await sql`
      insert into oidc_model (brand, model, id_hash, client_id, payload, expires_at)
      select 'aurelia', case when n <= 2 then 'ReplayDetection' else 'ClientCredentials' end,
        n::text, 'busy', '{}', now() from generate_series(1, 5010) as n`.execute(connection.db);
    await sql`analyze oidc_model`.execute(connection.db);
    const left = async () => {
      const rows = await connection.db.selectFrom('oidc_model').select('model').execute();
      return rows.map(({ model }) => model);
    };
    expect(await deleteModelsOfClient(connection.db, 'busy', 3)).toBe(3);
    expect(await left()).toHaveLength(5_007);

    const plan = await connection.db.transaction().execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx);
      const { rows } = await sql`
        explain select from oidc_model where client_id = 'busy' and model <> 'ReplayDetection'`.execute(trx);
      return JSON.stringify(rows);
    });
    expect(plan).toContain('oidc_model_client');

    const service = serviceOf();
    await service.apply([entry('busy')]);
    await service.setDisabled('busy', true);
    expect(await left()).toEqual(['ReplayDetection', 'ReplayDetection']);
  });
});
