import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStaffService } from '@candela/server/staff';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bootOf, refusal } from '../oidc/authorization.ts';
import { outcomeOf, skipped } from '../races/rounds.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type SentMessage, type World } from '../support/world.ts';
import { type AtDesk, hireStaff } from './staff.ts';

const reason = 'Asked for by marketing';

const change = (agent: UserAgent, base: number, words: object, brand = 'fjord') =>
  agent.request('PATCH', `/api/desk/brands/${brand}`, { json: { base, reason, words } });

describe('the words of a brand at the desk', () => {
  let directory: string;
  let world: World;
  let operator: AtDesk;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'candela-words-'));
    const file = join(directory, 'brands.json');
    const texts = {
      en: { 'messages.code.subject': '{{brand}}: {{purpose}}', 'login.forgot': 'Lost your key?' },
    };
    await writeFile(file, JSON.stringify([{ id: 'fjord', name: 'Fjord', texts }]));
    world = await createWorld({ env: { BRANDS_FILE: file } });
    operator = await hireStaff(world, 'operator');
  });
  afterAll(async () => {
    await world.close();
    await rm(directory, { recursive: true, force: true });
  });

  const brand = async (locale = 'en') =>
    (await operator.agent.get(`/api/desk/brands/fjord?locale=${locale}`)).json();
  const versionNow = async () => (await brand()).version as number;
  const subjectOf = async (identifier: string) => {
    const visitor = world.browser();
    await visitor.navigate('/login');
    await world.receiveCode(visitor, identifier, 'login');
    return ((await world.lastMessageTo(identifier)) as SentMessage & { subject: string }).subject;
  };
  const wordsOnPage = async () =>
    bootOf(await world.browser({ language: 'en' }).navigate('/login')).texts as Record<string, string>;

  test('stand beside those of the file, and every text that they may replace', async () => {
    const { items } = (await operator.agent.get('/api/desk/brands')).json();
    expect(items).toEqual([{ id: 'fjord', name: 'Fjord', version: 0 }]);
    const shown = await brand();
    expect(shown).toMatchObject({ id: 'fjord', name: 'Fjord', version: 0, words: {} });
    const text = (key: string) => shown.texts.find((one: { key: string }) => one.key === key);
    expect(text('login.forgot')).toEqual({
      key: 'login.forgot',
      builtIn: 'Forgot password?',
      file: 'Lost your key?',
    });
    expect(text('messages.greeting')).toEqual({ key: 'messages.greeting', builtIn: 'Hello,' });
    expect(refusal(await operator.agent.get('/api/desk/brands/unknown?locale=en'))).toEqual([
      404,
      'not_found',
    ]);
  });

  test('DK11: come into force in messages and pages without a start, recorded, and go back to any version', async () => {
    const first = await change(operator.agent, 0, {
      en: { 'messages.code.subject': 'Come in: {{purpose}}', 'login.forgot': 'No key?' },
      ru: { 'login.forgot': 'Нет ключа?' },
    });
    expect(first.status, first.body).toBe(200);
    expect(first.json()).toMatchObject({ version: 1, entry: expect.any(Number) });
    await expect.poll(() => subjectOf('one@example.com')).toBe('Come in: sign in');
    const texts = await wordsOnPage();
    expect(texts.en).toEqual({ 'login.forgot': 'No key?' });
    expect((await world.browser().get(texts.ru ?? '')).json()).toEqual({ 'login.forgot': 'Нет ключа?' });

    const second = await change(operator.agent, 1, { en: { 'messages.code.subject': null } });
    expect(second.json()).toMatchObject({ version: 2 });
    await expect.poll(() => subjectOf('two@example.com')).toBe('Fjord: sign in');
    expect(await brand()).toMatchObject({
      version: 2,
      words: { en: { 'login.forgot': 'No key?' }, ru: { 'login.forgot': 'Нет ключа?' } },
    });

    const restore = (base: number, to: number) =>
      operator.agent.post('/api/desk/brands/fjord/restore', { base, to, reason });
    expect((await restore(2, 1)).json()).toMatchObject({ version: 3 });
    await expect.poll(() => subjectOf('three@example.com')).toBe('Come in: sign in');
    expect(refusal(await restore(3, 99))).toEqual([404, 'not_found']);
    expect((await restore(3, 0)).json()).toMatchObject({ version: 4 });
    await expect.poll(wordsOnPage).toEqual({ en: { 'login.forgot': 'Lost your key?' } });
    expect(refusal(await restore(4, 0))).toEqual([409, 'nothing_to_do']);

    const { items } = (await operator.agent.get('/api/desk/brands/fjord/history')).json();
    expect(items.map(({ version }: { version: number }) => version)).toEqual([4, 3, 2, 1]);
    expect(items[3]).toMatchObject({
      reason,
      changed: ['en.login.forgot', 'en.messages.code.subject', 'ru.login.forgot'],
    });
    expect(items[2].changed).toEqual(['en.messages.code.subject']);
    const older = (await operator.agent.get('/api/desk/brands/fjord/history?after=3')).json().items;
    expect(older.map(({ version }: { version: number }) => version)).toEqual([2, 1]);

    expect((await operator.agent.get('/api/desk/brands/fjord/history?after=1e3')).status).toBe(400);

    const recorded = (await operator.agent.get('/api/desk/record?action=change-words')).json().items;
    expect(recorded.find(({ subject }: { subject: string }) => subject === 'fjord 1')).toMatchObject({
      reason,
      outcome: 'done',
      entry: first.json().entry,
    });
    expect(world.countEvent('brand.words_changed')).toBe(4);
  });

  test('DK11: are checked as those of the file are, and each fault is named by language and key', async () => {
    const base = await versionNow();
    const answer = await change(operator.agent, base, {
      en: {
        'login.nothing': 'x',
        'login.forgot': '',
        'messages.code.subject': '{{code}} {{purpose}}',
        'messages.code.sms': '{{code}}',
        'login.title': 'Hi $t(login.forgot)',
      },
      ru: { 'login.title': 'x'.repeat(4001), 'login.forgot': 'Так можно' },
    });
    expect(refusal(answer)).toEqual([400, 'words_invalid']);
    expect(answer.json().error.fields).toEqual({
      'en.login.nothing': 'word_unknown',
      'en.login.forgot': 'word_blank',
      'en.messages.code.subject': 'word_placeholder_unknown',
      'en.messages.code.sms': 'word_placeholder_missing',
      'en.login.title': 'word_forbidden',
      'ru.login.title': 'word_too_long',
    });
    expect(await versionNow()).toBe(base);
  });

  test('are not changed over somebody who was faster', async () => {
    const base = await versionNow();
    const answers = await Promise.all(
      ['A', 'B', 'C'].map((word) => change(operator.agent, base, { en: { 'login.title': word } })),
    );
    expect(answers.map(outcomeOf).toSorted()).toEqual([200, 'words_changed', 'words_changed']);
    expect(await versionNow()).toBe(base + 1);
  });

  test('that fit no text of this release are left out, and the others speak', async () => {
    const base = await versionNow();
    await world.db
      .insertInto('brand_words')
      .values({
        brand: 'fjord',
        version: base + 1,
        words: JSON.stringify({
          en: { 'login.gone': 'Away', 'messages.code.subject': 'Still {{purpose}}' },
        }) as never,
        by: 'An earlier release',
        reason,
      })
      .execute();
    await expect.poll(() => subjectOf('four@example.com')).toBe('Still sign in');
    expect(await wordsOnPage()).toEqual({ en: { 'login.forgot': 'Lost your key?' } });
    expect((await change(operator.agent, base + 1, { en: { 'login.title': 'Hello' } })).status).toBe(200);
  });
});

describe.skipIf(!testDatabaseUrl)(`the words of a brand in two processes${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ databaseUrl: testDatabaseUrl ?? '', processes: 2 });
  });
  afterAll(() => cluster?.close());

  test('DK11: a message that the other process sends has the new words within seconds', async () => {
    const staff = createStaffService({ db: cluster.db, events: { emit: () => undefined } });
    const { agent } = await hireStaff({ ...cluster, allowStaff: staff.allow }, 'operator');
    const [first = 0, second = 0] = cluster.processes.map(({ port }) => port);
    const words = { en: { 'messages.code.subject': 'Other words: {{purpose}}' } };
    const answer = await agent.request('PATCH', '/api/desk/brands/aurelia', {
      json: { base: 0, reason, words },
      port: first,
    });
    expect(answer.status, answer.body).toBe(200);
    const visitor = cluster.browser({ ports: [second] });
    await visitor.navigate('/login');
    const subject = async () => {
      await cluster.receiveCode(visitor, 'other@example.com', 'login');
      return ((await cluster.lastMessageTo('other@example.com')) as SentMessage & { subject: string })
        .subject;
    };
    await expect.poll(subject, { timeout: 5_000, interval: 250 }).toBe('Other words: sign in');
  });
});
