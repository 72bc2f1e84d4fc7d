import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashSync } from 'bcryptjs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { codeOf, createTestIdentity } from '../../../testing/identity.ts';
import { createProgressPrinter, describeSummary } from '../line-import/progress.ts';
import { type ImportOptions, importAccounts } from './import-accounts.ts';

const PASSWORD = 'sunny42day';
const bcrypt = hashSync(PASSWORD, 4);
const secretKeys = ['a secret of thirty-two characters'];
const now = () => new Date('2026-01-01T00:00:00Z');

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'candela-import-'));
});
afterAll(() => rm(directory, { recursive: true }));

describeOnDatabases('importing accounts', (connection) => {
  beforeEach(async () => {
    for (const table of ['verification_code', 'ticket', 'rate_limit', 'account'] as const) {
      await connection.db.deleteFrom(table).execute();
    }
  });

  const path = () => join(directory, 'people.jsonl');
  const run = async (
    lines: (object | string)[],
    options: Partial<ImportOptions> & { keys?: string[] } = {},
  ) => {
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    await writeFile(path(), text);
    const { keys = secretKeys, ...rest } = options;
    return importAccounts({ db: connection.db, path: path(), secretKeys: keys, now, ...rest });
  };
  const report = async () =>
    (await readFile(`${path()}.refused.jsonl`, 'utf8').catch(() => ''))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const everything = async () => [
    await connection.db.selectFrom('account').selectAll().orderBy('id').execute(),
    await connection.db.selectFrom('account_identifier').selectAll().orderBy('value').execute(),
    await connection.db.selectFrom('password').selectAll().orderBy('account_id').execute(),
  ];

  test('an imported person signs in with the old password, and the hash is one of ours from then on', async () => {
    const summary = await run([
      {
        phone: '+86 138 0013 8000',
        email: 'Ada@Example.com',
        nickname: 'Ada',
        password_hash: bcrypt,
        locale: 'zh-TW',
      },
    ]);
    expect(summary).toEqual({
      imported: 1,
      unchanged: 0,
      refused: {},
      refusedTotal: 0,
      reportPath: undefined,
    });
    const world = createTestIdentity(connection.db);
    expect(await codeOf(world.browser().signIn('ada@example.com', { password: 'wrong42day' }))).toBe(
      'invalid_credentials',
    );
    for (const identifier of ['ada@example.com', '+8613800138000']) {
      await world.browser().signIn(identifier, { password: PASSWORD });
      const { hash } = await connection.db.selectFrom('password').select('hash').executeTakeFirstOrThrow();
      expect(hash).toMatch(/^\$argon2id\$v=19\$/);
    }
    expect(
      await connection.db.selectFrom('account').select(['nickname', 'locale', 'status']).execute(),
    ).toEqual([{ nickname: 'Ada', locale: 'zh-Hant', status: 'active' }]);
  });

  test('a line without password, name and language still makes an account', async () => {
    await run([{ email: 'ada@example.com', phone: null, nickname: '', legacy: false }]);
    const world = createTestIdentity(connection.db);
    const browser = world.browser();
    const code = await browser.getCode('ada@example.com', 'login');
    await browser.signIn('ada@example.com', { code });
    const row = await connection.db.selectFrom('account').selectAll().executeTakeFirstOrThrow();
    expect(row.nickname).toMatch(/^Lamplighter /);
    expect(row.id).toMatch(/^[\w-]{22}$/);
  });

  test('a second run changes nothing, even under a newer secret or with its lines in another order', async () => {
    const people = Array.from({ length: 25 }, (_, index) => ({
      email: `person${index}@example.com`,
      ...(index % 2 && { phone: `+861380013${8000 + index}` }),
      ...(index % 3 && { password_hash: bcrypt }),
      ...(index % 5 === 0 && { id: `old-${index}` }),
    }));
    expect(await run(people, { batchSize: 4 })).toMatchObject({ imported: 25, unchanged: 0 });
    const before = await everything();
    for (const [again, keys] of [
      [people, secretKeys],
      [people.toReversed(), ['a newer secret', ...secretKeys]],
      [people.map((person) => ({ ...person, nickname: 'Other' })), secretKeys],
    ] as const) {
      const summary = await run([...again], { batchSize: 7, keys: [...keys] });
      expect(summary).toMatchObject({ imported: 0, unchanged: 25, refusedTotal: 0 });
      expect(await everything()).toEqual(before);
    }
  });

  test('an interrupted run continues where it stopped', async () => {
    const people = Array.from({ length: 20 }, (_, index) => ({ email: `person${index}@example.com` }));
    await run(people.slice(0, 8), { batchSize: 4 });
    expect(await run(people, { batchSize: 4 })).toMatchObject({ imported: 12, unchanged: 8 });
  });

  test('an import whose caller is gone ends between two batches', async () => {
    const people = Array.from({ length: 20 }, (_, index) => ({ email: `person${index}@example.com` }));
    const gone = new AbortController();
    const onProgress = () => gone.abort(new Error('the caller is gone'));
    const aborted = run(people, { batchSize: 4, signal: gone.signal, onProgress });
    await expect(aborted).rejects.toThrow('the caller is gone');
    expect(await run(people)).toMatchObject({ imported: 16, unchanged: 4 });
  });

  test('the report lists refused lines by number and reason, without personal data', async () => {
    const world = createTestIdentity(connection.db);
    await world.signUp('taken@example.com');
    const refused: [object | string, string][] = [
      ['{', 'line_invalid'],
      ['[]', 'line_invalid'],
      ['"ada"', 'line_invalid'],
      [{ email: 7 }, 'line_invalid'],
      [`{"email":"${'a'.repeat(70_000)}"}`, 'line_invalid'],
      ...['a\0b', 'a\ud800b'].flatMap((salt): [object, string][] =>
        [
          `$7$9/..../....${salt}$${'.'.repeat(43)}`,
          `pbkdf2_sha256$1000$${salt}$${Buffer.alloc(32, 7).toString('base64')}`,
        ].map((hash) => [{ email: 'a@example.com', password_hash: hash }, 'line_invalid']),
      ),
      [{ email: 'a@example.com', passwordHash: bcrypt }, 'field_unknown'],
      [{ nickname: 'Ada' }, 'identifier_missing'],
      [{ phone: '13800138000' }, 'phone_invalid'],
      [{ phone: 'ada@example.com' }, 'phone_invalid'],
      [{ email: 'ada' }, 'email_invalid'],
      [{ email: 'a@example.com\r\nBcc: b@example.com' }, 'email_invalid'],
      [{ email: 'a@example.com', nickname: 'a\u202eb' }, 'nickname_invalid'],
      [{ email: 'a@example.com', locale: 'tlh' }, 'locale_invalid'],
      [{ email: 'a@example.com', id: '../../a' }, 'id_invalid'],
      [{ email: 'a@example.com', password_hash: 'sunny42day' }, 'hash_unsupported'],
      [{ email: 'a@example.com', password_hash: bcrypt.replace('$04$', '$31$') }, 'hash_too_costly'],
      [{ email: 'a@example.com', password_hash: bcrypt, legacy: true }, 'legacy_with_hash'],
      [{ email: 'a@example.com', legacy: 'yes' }, 'line_invalid'],
      [{ email: 'Taken@Example.com' }, 'identifier_taken'],
      [{ phone: '+8613800138001', email: 'taken@example.com' }, 'identifier_taken'],
      [{ id: 'one', email: 'first@example.com' }, 'imported'],
      [{ id: 'two', email: 'FIRST@example.com' }, 'identifier_taken'],
      [{ id: 'one', email: 'second@example.com' }, 'id_taken'],
    ];
    for (const batchSize of [3, 500]) {
      const summary = await run([...refused.map(([line]) => line), ''], { batchSize });
      expect(await report()).toEqual(
        refused.flatMap(([, reason], index) => (reason === 'imported' ? [] : [{ line: index + 1, reason }])),
      );
      expect(summary).toMatchObject({ refusedTotal: 26, refused: { line_invalid: 10, identifier_taken: 3 } });
      expect(describeSummary(summary)).toContain('refused 26\n  line_invalid 10\n  identifier_taken 3');
    }
    expect(await connection.db.selectFrom('account').select('id').execute()).toHaveLength(2);
    // A run that refuses no line removes the old report.
    await run([{ email: 'first@example.com', id: 'one' }]);
    expect(await report()).toEqual([]);
  });

  test('a Windows file with a byte order mark, CRLF line ends and empty lines is read', async () => {
    const line = (index: number) => JSON.stringify({ email: `person${index}@example.com` });
    const summary = await run([`\ufeff${line(1)}\r`, '\r', `${line(2)}\r`, '', `${line(3)}\r`]);
    expect(summary).toMatchObject({ imported: 3, refusedTotal: 0 });
  });

  test('two imports beside registrations make one account for each person', async () => {
    const people = Array.from({ length: 30 }, (_, index) => ({ email: `person${index}@example.com` }));
    await writeFile(path(), people.map((person) => JSON.stringify(person)).join('\n'));
    const world = createTestIdentity(connection.db, { limits: { perAddressPerHour: 1_000 } });
    const options = { db: connection.db, path: path(), secretKeys, now, batchSize: 5 };
    const [one, two] = await Promise.all([
      importAccounts(options),
      importAccounts(options),
      ...[3, 13, 23].map((index) => world.signUp(`person${index}@example.com`).catch(() => undefined)),
    ]);
    expect(await connection.db.selectFrom('account').select('id').execute()).toHaveLength(30);
    expect(await connection.db.selectFrom('account_identifier').select('value').execute()).toHaveLength(30);
    for (const { imported, unchanged, refusedTotal } of [one, two]) {
      expect(imported + unchanged + refusedTotal).toBe(30);
    }
  });

  test('progress is shown from the start to the end of the file', async () => {
    const seen: number[] = [];
    const people = Array.from({ length: 10 }, (_, index) =>
      JSON.stringify({ email: `p${index}@example.com` }),
    );
    await writeFile(path(), `${people.join('\n')}\n`);
    await importAccounts({
      db: connection.db,
      path: path(),
      secretKeys,
      now,
      batchSize: 4,
      onProgress: ({ bytes, totalBytes }) => seen.push(bytes / totalBytes),
    });
    expect(seen).toEqual([0.4, 0.8, 1]);
  });
});

test('progress is a bar on a terminal and lines elsewhere, no more often than a person can read', () => {
  for (const [isTTY, expected] of [
    [true, ['\r[###', '\r[######', `\r[${'#'.repeat(30)}]`]],
    [false, ['10 %', '100 %']],
  ] as const) {
    const written: string[] = [];
    let at = 0;
    const printer = createProgressPrinter({ isTTY, write: (text) => written.push(text) }, () => at);
    for (const [ms, bytes] of [
      [1_000, 10],
      [1_010, 11],
      [1_500, 20],
      [2_000, 100],
    ] as const) {
      at = ms;
      printer.update({ bytes, totalBytes: 100, lines: bytes });
    }
    expect(written).toHaveLength(expected.length);
    for (const [index, start] of expected.entries()) expect(written[index]?.startsWith(start)).toBe(true);
    expect(written.at(-1)).toContain('100 %  100 lines  50 a second');
  }
});
