import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRecordReviewService } from '@candela/server/record';
import { openTestDatabase, testDatabaseUrl } from '@candela/server/testing/databases';
import { createCommandRunner } from '@candela/server/testing/run-command';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { type AtDesk, customer, hireStaff } from './staff.ts';

const reason = 'The caller asked for it';

describe('the record', () => {
  let world: World;
  let operator: AtDesk;
  let candela: ReturnType<typeof createCommandRunner>;

  beforeAll(async () => {
    const connection = await openTestDatabase();
    world = await createWorld({ connection });
    candela = createCommandRunner({ config: world.config, connection });
    operator = await hireStaff(world, 'operator');
  });
  afterAll(() => world.close());

  const verify = () => createRecordReviewService(world).verify();
  const newest = async (query = '') => (await operator.agent.get(`/api/desk/record${query}`)).json().items;

  test('a command leaves who ran it, from where, on whom and why', async () => {
    const ada = await customer(world);
    const ran = await candela('account', 'disable', ada.identifier, '--reason', reason, '--as', 'Grace');
    expect(ran.status, ran.error).toBe(0);
    const [entry] = await newest(`?account=${ada.id}&action=command`);
    expect(entry).toMatchObject({
      by: { kind: 'command', name: 'Grace' },
      from: expect.stringMatching(/^\S+@\S+$/),
      action: 'command',
      account: ada.id,
      reason,
      outcome: 'done',
    });
    expect(entry.subject).toMatch(/^account disable .•••@example\.com$/);
    await candela('account', 'show', ada.id);
    expect((await newest(`?account=${ada.id}&action=command`))[0].subject).toBe(`account show ${ada.id}`);
    const refused = await candela('account', 'enable', 'nobody@example.com');
    expect(refused.status).toBe(1);
    expect((await newest('?action=command')).slice(0, 2)).toMatchObject([
      { outcome: 'refused' },
      { outcome: 'done', subject: 'account enable n•••@example.com' },
    ]);
  });

  test('it is filtered, read page by page, and downloaded with its hashes', async () => {
    for (let looked = 0; looked < 55; looked += 1) await operator.agent.get('/api/desk/search?q=nobody');
    const first = (await operator.agent.get(`/api/desk/record?action=search&staff=${operator.id}`)).json();
    expect(first.items).toHaveLength(50);
    const path = `/api/desk/record?action=search&staff=${operator.id}&after=${first.next}`;
    expect((await operator.agent.get(path)).json().items).toHaveLength(5);
    expect((await operator.agent.get('/api/desk/record?after=x')).status).toBe(400);
    const file = await operator.agent.get('/api/desk/record/file?action=search');
    expect(file.headers['content-type']).toMatch(/jsonl/);
    const lines = file.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(55);
    for (const line of lines)
      expect(line).toMatchObject({
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        previous: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
  });

  test('a reason with half a character, and any letters, keeps the chain whole', async () => {
    const ada = await customer(world);
    const path = `/api/desk/accounts/${ada.id}/note`;
    expect((await operator.agent.post(path, { reason: `${'a'.repeat(499)}x` })).status).toBe(200);
    expect((await operator.agent.post(path, { reason: '灯 “не горит” 💡 \u2028 <b>' })).status).toBe(200);
    await operator.agent.get(`/api/desk/search?q=${encodeURIComponent(`${'x'.repeat(299)}💡`)}`);
    expect(await verify()).not.toHaveProperty('brokenAt');
  });

  test('nothing of it is changed or deleted by whoever serves', async () => {
    for (const statement of [
      sql`update staff_record set reason = 'other' where entry = 1`,
      sql`delete from staff_record where entry = 1`,
      sql`truncate staff_record`,
    ])
      await expect(statement.execute(world.db)).rejects.toThrow(/neither changed nor deleted/);
  });

  /** What only somebody with the rights of the database's owner can do. */
  const tampered = async (change: () => Promise<unknown>, back: () => Promise<unknown>) => {
    await sql`alter table staff_record disable trigger refuse_change`.execute(world.db);
    await change();
    const found = await verify();
    await back();
    await sql`alter table staff_record enable trigger refuse_change`.execute(world.db);
    expect(await verify()).not.toHaveProperty('brokenAt');
    return found.brokenAt;
  };

  test('DK5: whoever changes an entry, takes one out, or cuts the end off is found', async () => {
    const setReason = (text: string | null) =>
      sql`update staff_record set reason = ${text} where entry = 3`.execute(world.db);
    expect(
      await tampered(
        () => setReason('other'),
        () => setReason(null),
      ),
    ).toBe(3);
    for (const entry of [4, (await verify()).entries]) {
      const kept = await world.db.selectFrom('staff_record').selectAll().where('entry', '=', entry).execute();
      const gone = await tampered(
        () => world.db.deleteFrom('staff_record').where('entry', '=', entry).execute(),
        () => world.db.insertInto('staff_record').values(kept).execute(),
      );
      expect(gone).toBe(entry === 4 ? 5 : entry);
    }
  });

  test('"record verify" walks it, and writes it as JSON lines', async () => {
    const path = join(world.config.dataDir, 'record.jsonl');
    const { status, out } = await candela('record', 'verify', '--export', path, '--json');
    expect(status).toBe(0);
    const { entries, hash } = JSON.parse(out);
    const lines = (await readFile(path, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(entries);
    expect(lines.map(({ entry }) => entry)).toEqual(Array.from({ length: entries }, (_, index) => index + 1));
    expect(lines.at(-1).hash).toBe(hash);
    for (const [index, line] of lines.entries())
      expect(line.previous).toBe(lines[index - 1]?.hash ?? '0'.repeat(64));
    expect((await candela('record', 'verify', '--export', path)).status).toBe(1);
  });

  test.skipIf(!testDatabaseUrl)('looks at the same time stand in one order', async () => {
    const before = await verify();
    await Promise.all(Array.from({ length: 40 }, () => operator.agent.get('/api/desk/search?q=nobody')));
    const after = await verify();
    expect(after).toMatchObject({ entries: before.entries + 40 });
    expect(after).not.toHaveProperty('brokenAt');
  });
});
