import { type Kysely, type RawBuilder, sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { ACCOUNT, CLIENT, insertAccount, secretKeys } from '../../../testing/protocol-store.ts';
import { recordEvents } from '../../../testing/recorded-events.ts';
import { createRegistrations } from '../../../testing/registrations.ts';
import { builtInBrands } from '../../branding/brand/built-in.ts';
import type { Database } from '../../ground/db/database.ts';
import type { Message } from '../../person/delivery/message.ts';
import { createLinkEndNotices } from './link-end-notices.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const PROCESSES = 2;

describeOnDatabases('notices of links that end', (connection) => {
  let db: Kysely<Database>;
  let sent: Message[] = [];
  const events = recordEvents();

  /** What each of several processes has for itself. */
  const start = () => {
    const [brand] = builtInBrands;
    return createLinkEndNotices({
      db,
      messages: {
        add: async (_trx, message) => ({
          start: async () => {
            sent.push(message);
          },
        }),
      },
      clients: createRegistrations(db, { secretKeys }).clients,
      events,
      brands: [{ ...brand, origin: 'https://id.aurelia.example' }],
    });
  };

  beforeEach(async () => {
    db = connection.db;
    sent = [];
    await sql`delete from account`.execute(db);
    await sql`delete from client`.execute(db);
    await insertAccount(db);
    await sql`insert into client (id, metadata, updated_at)
      values (${CLIENT}, ${JSON.stringify({ client_id: CLIENT, client_name: 'Home Hub' })}, now())`.execute(
      db,
    );
    await sql`insert into account_identifier (kind, value, display, account_id, verified_at) values
      ('email', 'ada@example.com', 'ada@example.com', ${ACCOUNT}, now()),
      ('phone', '+8613800138000', '+8613800138000', ${ACCOUNT}, now())`.execute(db);
  });

  /** A link that was made `age` seconds ago and ends in `left` seconds. */
  const insertLink = (
    id: string,
    { left, age = 60 * DAY, ...more }: { left: number; age?: number; label?: string },
  ) =>
    sql`insert into authorization_grant (
        brand, id, account_id, client_id, scope, payload, has_refresh_token, user_agent, address, locale, label,
        created_at, expires_at, ends_at)
      values ('aurelia', ${id}, ${ACCOUNT}, ${CLIENT}, 'openid', '{}', true, '', '', 'en', ${more.label ?? null},
        now() - make_interval(secs => ${age}), now() + make_interval(secs => ${left}),
        now() + make_interval(secs => ${left}))`.execute(db);

  const pass = (seconds: number) =>
    sql`update authorization_grant set ends_at = ends_at - make_interval(secs => ${seconds}),
      expires_at = expires_at - make_interval(secs => ${seconds})`.execute(db);

  const tell = async () => {
    sent = [];
    await Promise.all(Array.from({ length: PROCESSES }, () => start().sendDue()));
    return sent.length;
  };

  test('come two weeks and two days before the end, each once from however many processes', async () => {
    for (let link = 0; link < 4; link += 1) await insertLink(`link-${link}`, { left: 14 * DAY + HOUR });
    expect(await tell()).toBe(0);
    await pass(2 * HOUR);
    expect(await tell()).toBe(4);
    expect(await tell()).toBe(0);
    await pass(12 * DAY);
    expect(await tell()).toBe(4);
    expect(await tell()).toBe(0);
    await pass(2 * DAY);
    expect(await tell()).toBe(0);
  });

  test('go to the mail address, and name the app, the link, its end and the page that renews it', async () => {
    await insertLink('kitchen', { left: 5 * DAY, label: 'Kitchen' });
    expect(await tell()).toBe(1);
    expect(sent[0]).toMatchObject({
      channel: 'email',
      to: 'ada@example.com',
      purpose: 'link_ends',
      locale: 'en',
    });
    expect(sent[0]?.subject).toBe('Home Hub (Kitchen) loses access to your Aurelia account soon');
    expect(sent[0]?.text).toContain('https://id.aurelia.example/tokens');
    expect(events.all).toContainEqual({ event: 'link_end.told', accountId: ACCOUNT, brand: 'aurelia' });
  });

  test('come anew for a link that was renewed', async () => {
    await insertLink('hub', { left: DAY });
    expect(await tell()).toBe(1);
    await sql`update authorization_grant set end_told_days = null, renewed_at = now() - interval '30 days',
      ends_at = now() + interval '10 days', expires_at = now() + interval '10 days'`.execute(db);
    expect(await tell()).toBe(1);
  });

  test.each<[string, Parameters<typeof insertLink>[1], RawBuilder<unknown> | undefined]>([
    ['a term that is as short', { left: 13 * DAY, age: HOUR }, undefined],
    ['a link that has ended', { left: -HOUR }, undefined],
    ['an account that is disabled', { left: DAY }, sql`update account set status = 'disabled'`],
    ['an account that is to be deleted', { left: DAY }, sql`update account set leaving_at = now()`],
    [
      'an approval that is no link',
      { left: DAY },
      sql`update authorization_grant set has_refresh_token = false`,
    ],
  ])('do not come for %s', async (_name, link, change) => {
    await insertLink('hub', link);
    await change?.execute(db);
    expect(await tell()).toBe(0);
  });
});
