import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { createChangeFeed } from '../../ground/db/change-feed.ts';
import { createLogger } from '../../ground/logger.ts';
import { createResourceServerService } from './resource-server.service.ts';

describeOnDatabases('resource servers', (connection) => {
  const serviceOf = () => createResourceServerService({ db: connection.db });
  const entry = (identifier: string, more: Record<string, unknown> = {}) => ({
    identifier,
    name: 'Lights',
    scopes: [{ name: 'read' }],
    ...more,
  });

  test('a file is applied whole or not at all', async () => {
    const service = serviceOf();
    const bad = entry('https://other.example/#fragment');
    await expect(service.applyResourceServers([entry('https://api.example/'), bad])).rejects.toThrow();
    expect(await service.listResourceServers()).toEqual([]);
  });

  test('applying twice changes nothing, and a changed entry takes effect at once', async () => {
    const service = serviceOf();
    const [b, a] = [entry('https://b.example/'), entry('https://a.example/')];
    const added = { outcome: 'added', changes: [] };
    expect(await service.applyResourceServers([b, a], { dryRun: true })).toMatchObject([added, added]);
    expect(await service.listResourceServers()).toEqual([]);
    expect(await service.applyResourceServers([b, a])).toMatchObject([
      { id: b.identifier, ...added },
      { id: a.identifier, ...added },
    ]);
    const unchanged = { outcome: 'unchanged', changes: [] };
    expect(await service.applyResourceServers([b, a])).toMatchObject([unchanged, unchanged]);
    const listed = await service.listResourceServers();
    expect(listed.map(({ identifier }) => identifier)).toEqual([a.identifier, b.identifier]);
    expect(await service.findResourceServer(a.identifier, 'aurelia')).toEqual({
      identifier: a.identifier,
      brand: undefined,
      name: 'Lights',
      scopes: [{ name: 'read' }],
      access_token_format: 'jwt',
      access_token_ttl: 600,
      access_token_signing_alg: 'ES256',
    });
    const changed = await service.applyResourceServers([{ ...a, name: 'Anew', brand: 'aurelia' }]);
    expect(changed[0]?.changes).toEqual([
      { field: 'brand', to: 'aurelia' },
      { field: 'name', from: 'Lights', to: 'Anew' },
    ]);
    expect(await service.findResourceServer(a.identifier, 'aurelia')).toMatchObject({ name: 'Anew' });
    expect(await service.findResourceServer(a.identifier, 'borealis')).toBeUndefined();
  });

  test('a resource server is read once while the change feed is live, and again when another process changes it', async () => {
    const changes = await createChangeFeed(connection, createLogger('silent'));
    await vi.waitUntil(changes.isLive);
    const hearing = createResourceServerService({ db: connection.db, changes });
    const kept = entry('https://kept.example/');
    const notified = new Promise((resolve) => changes.on('resource_server', resolve));
    await serviceOf().applyResourceServers([kept]);
    expect(await notified).toBe(kept.identifier);
    const found = await hearing.findResourceServer(kept.identifier, 'aurelia');
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_600_000);
    expect(await hearing.findResourceServer(kept.identifier, 'aurelia')).toBe(found);
    clock.mockRestore();
    await serviceOf().applyResourceServers([{ ...kept, name: 'Anew' }]);
    await vi.waitUntil(
      async () => (await hearing.findResourceServer(kept.identifier, 'aurelia'))?.name === 'Anew',
      { timeout: 1_000 },
    );
    await changes.close();
  });

  test('processes that apply the same entries in different orders do not deadlock', async () => {
    const entries = Array.from({ length: 20 }, (_, index) => entry(`https://api-${index}.example/`));
    const [one, other] = [serviceOf(), serviceOf()];
    await Promise.all([one.applyResourceServers(entries), other.applyResourceServers(entries.toReversed())]);
    expect((await one.listResourceServers()).length).toBeGreaterThanOrEqual(20);
  });

  test('an unchanged entry is not written again, so that no process is notified', async () => {
    const service = serviceOf();
    const same = entry('https://same.example/');
    const versionOf = async () => {
      const { rows } = await sql<{ xmin: string }>`
        select xmin::text from resource_server where identifier = ${same.identifier}`.execute(connection.db);
      return rows[0]?.xmin;
    };
    await service.applyResourceServers([same]);
    const first = await versionOf();
    await service.applyResourceServers([same]);
    expect(await versionOf()).toBe(first);
    await service.applyResourceServers([{ ...same, brand: 'aurelia' }]);
    expect(await versionOf()).not.toBe(first);
  });
});
