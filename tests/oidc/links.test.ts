import type { Authorization, EndedAuthorization } from '@candela/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOf } from '../support/token.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { type RegisteredApp, refusal } from './authorization.ts';

const DAY = 86_400;

let world: World;
let now = new Date();
beforeAll(async () => {
  world = await createWorld({ now: () => now });
});
afterAll(() => world.close());

const itemsOf = async <Item>(agent: UserAgent, path: string): Promise<Item[]> =>
  (await agent.get(path)).json().items;

const onlyLink = async (agent: UserAgent): Promise<Authorization> => {
  const [link, ...others] = await itemsOf<Authorization>(agent, '/api/authorizations');
  expect(others).toEqual([]);
  if (!link) throw new Error('the account has no link');
  return link;
};

/** A new person who has linked an app once. */
const linkOnce = async (metadata: Record<string, unknown> = {}) => {
  const { agent, identifier } = await world.signUp();
  const app = await world.registerApp(metadata);
  const { tokens } = await world.link(agent, app.rp);
  return { agent, identifier, app, tokens, link: await onlyLink(agent) };
};

/** Moves the times of a link back, as if days had passed since. */
const age = (id: string, days: number) =>
  sql`update authorization_grant set created_at = created_at - make_interval(days => ${days}),
      last_accessed_at = last_accessed_at - make_interval(days => ${days}),
      ends_at = ends_at - make_interval(days => ${days})
    where id = ${id}`.execute(world.db);

/** Makes the refresh tokens of a link `seconds` older, and its family. */
const passFamily = (id: string, seconds: number) =>
  sql`update refresh_token set
      created_at = created_at - make_interval(secs => ${seconds}),
      expires_at = expires_at - make_interval(secs => ${seconds}),
      first_used_at = first_used_at - make_interval(secs => ${seconds}),
      payload = payload || jsonb_build_object('iiat', cast(payload->>'iiat' as bigint) - ${seconds})
    where grant_id = ${id}`.execute(world.db);

const ownerOf = async (token: string): Promise<string | undefined> =>
  (
    await world.db
      .selectFrom('refresh_token')
      .select('grant_id')
      .where('id_hash', '=', hashOf(token))
      .executeTakeFirst()
  )?.grant_id;

describe('a link', () => {
  test('tells since when it is there, how often it was refreshed, and whether it went quiet', async () => {
    const { agent, app, tokens, link } = await linkOnce();
    expect(link.link).toEqual({
      since: link.createdAt,
      lastRefreshAt: expect.any(String),
      refreshes7d: 0,
      state: 'working',
    });
    const second = await app.rp.refresh(tokens.refresh_token ?? '');
    await app.rp.refresh(second.refresh_token ?? '');
    expect((await onlyLink(agent)).link).toMatchObject({ refreshes7d: 2, state: 'working' });
    // Refreshes of earlier days, of which the last is a week ago, and another today.
    await sql`update authorization_grant set refreshes = (
        select jsonb_object_agg(to_char((now() at time zone 'utc') - make_interval(days => ago), 'YYYY-MM-DD'), 10)
        from generate_series(1, 9) as ago)
      where id = ${link.id}`.execute(world.db);
    expect((await onlyLink(agent)).link?.refreshes7d).toBe(60);
    await app.rp.refresh(second.refresh_token ?? '').catch(() => undefined);
    await age(link.id, 15);
    expect((await onlyLink(agent)).link).toMatchObject({ state: 'quiet' });
  });

  test('is one that stays connected; another approval has no link', async () => {
    const { agent } = await world.signUp();
    const app = await world.registerApp({ grant_types: ['authorization_code'] });
    await world.link(agent, app.rp);
    expect(await onlyLink(agent)).not.toHaveProperty('link');
  });

  test('can have a name, which the app does not see', async () => {
    const { agent, link } = await linkOnce();
    const name = (label: unknown) => agent.patch(`/api/authorizations/${link.id}`, { label });
    const named = await name('  Kitchen\u00a0Alexa ');
    expect(named.status).toBe(200);
    expect(named.json()).toEqual({ ...link, label: 'Kitchen Alexa' });
    // Plain text: pages show it as it is written.
    expect((await name('<script>alert(1)</script>')).json().label).toBe('<script>alert(1)</script>');
    const longest = '👩‍👩‍👧‍👦'.repeat(60);
    expect((await name(longest)).json().label).toBe(longest);
    for (const label of ['', '   ', 'x'.repeat(61), 'x'.repeat(5_000), 'a\u202eb', 'a\nb', '\u200b']) {
      const refused = await name(label);
      expect([label, ...refusal(refused)]).toEqual([label, 400, 'label_invalid']);
      expect(refused.json().error.fields).toEqual({ label: 'label_invalid' });
    }
    for (const body of [{}, { label: 1 }, { label: 'a', scopes: [] }])
      expect(refusal(await agent.patch(`/api/authorizations/${link.id}`, body))).toEqual([
        400,
        'invalid_request',
      ]);
    expect((await onlyLink(agent)).label).toBe(longest);
    expect((await name(null)).json()).toEqual(link);
  });

  test('of another account is not found, to be named or renewed', async () => {
    const { link } = await linkOnce({ refresh_family_ttl: 30 * DAY });
    const { agent } = await world.signUp();
    for (const id of [link.id, 'r'.repeat(link.id.length)]) {
      expect(refusal(await agent.patch(`/api/authorizations/${id}`, { label: 'Mine' }))).toEqual([
        404,
        'not_found',
      ]);
      expect(refusal(await agent.post(`/api/authorizations/${id}/renew`))).toEqual([404, 'not_found']);
    }
  });
});

describe('links that ended', () => {
  const end = (
    app: RegisteredApp,
    identifier: string,
    rows: Record<string, { reason: string; days: number }>,
  ) =>
    Promise.all(
      Object.entries(rows).map(([id, { reason, days }]) =>
        sql`insert into ended_link (brand, id, account_id, client_id, scope, label, reason, since, ended_at)
          select 'aurelia', cast(${id} as text), account_id, ${app.clientId}, 'openid profile', 'Kitchen', ${reason},
            now() - interval '200 days', now() - make_interval(days => ${days})
          from account_identifier where value = ${identifier}`.execute(world.db),
      ),
    );

  test('are told for 90 days, with the reason, beside those that live', async () => {
    const { agent, identifier } = await world.signUp();
    const app = await world.registerApp();
    await end(app, identifier, {
      'ended-1': { reason: 'token_theft', days: 1 },
      'ended-2': { reason: 'expired', days: 89 },
      'ended-3': { reason: 'withdrawn', days: 91 },
    });
    const ended = await itemsOf<EndedAuthorization>(agent, '/api/authorizations/ended');
    expect(ended.map(({ id, link }) => [id, link.endedBecause])).toEqual([
      ['ended-1', 'token_theft'],
      ['ended-2', 'expired'],
    ]);
    expect(ended[0]).toEqual({
      id: 'ended-1',
      client: expect.objectContaining({ id: app.clientId, name: 'Example App' }),
      scopes: ['openid', 'profile', 'offline_access'],
      label: 'Kitchen',
      endedAt: expect.any(String),
      link: { since: expect.any(String), refreshes7d: 0, state: 'ended', endedBecause: 'token_theft' },
    });
    expect(await itemsOf(agent, '/api/authorizations')).toEqual([]);
    const { agent: other } = await world.signUp();
    expect(await itemsOf(other, '/api/authorizations/ended')).toEqual([]);
  });

  test('come by pages, and a page refuses a cursor that it did not write', async () => {
    const { agent, identifier } = await world.signUp();
    const app = await world.registerApp();
    const rows = Array.from(
      { length: 25 },
      (_, n) => [`paged-${n}`, { reason: 'expired', days: n }] as const,
    );
    await end(app, identifier, Object.fromEntries(rows));
    const first = (await agent.get('/api/authorizations/ended')).json();
    expect(first.items).toHaveLength(20);
    const after = encodeURIComponent(first.next);
    const rest = (await agent.get(`/api/authorizations/ended?after=${after}`)).json();
    expect(rest.items.map(({ id }: EndedAuthorization) => id)).toEqual(rows.slice(20).map(([id]) => id));
    expect(rest).not.toHaveProperty('next');
    expect(refusal(await agent.get('/api/authorizations/ended?after=x'))).toEqual([400, 'invalid_request']);
  });
});

describe('a token answer', () => {
  /** The members of the draft, each within the seconds that the test takes. */
  const membersOf = ({
    refresh_token_timeout: timeout,
    authorization_expires_in: left,
  }: Record<string, unknown>) => [
    typeof timeout === 'number' ? Math.ceil(timeout / 60) * 60 : timeout,
    typeof left === 'number' ? Math.ceil(left / 60) * 60 : left,
  ];

  test.each(['overlap', 'rotate', 'static'])(
    'tells when the refresh token ends, in mode %s',
    async (refresh_mode) => {
      const { app, tokens, link } = await linkOnce({
        refresh_mode,
        refresh_token_ttl: 7 * DAY,
        refresh_family_ttl: 10 * DAY,
      });
      expect(membersOf(tokens)).toEqual([7 * DAY, 10 * DAY]);
      const second = await app.rp.refresh(tokens.refresh_token ?? '');
      expect(membersOf(second)).toEqual([7 * DAY, 10 * DAY]);
      // Six days later the family ends before the token does, and before an access token of another client would.
      await passFamily(link.id, 6 * DAY);
      const third = await app.rp.refresh(second.refresh_token ?? '');
      expect(membersOf(third)).toEqual([4 * DAY, 4 * DAY]);
      expect(membersOf(await app.rp.introspect(third.refresh_token ?? ''))).toEqual([4 * DAY, 4 * DAY]);
      await passFamily(link.id, 4 * DAY - 600);
      const last = await app.rp.refresh(third.refresh_token ?? '');
      expect(membersOf(last)).toEqual([600, 600]);
      expect(last.expires_in).toBeLessThanOrEqual(600);
    },
  );

  test('has no end of an authorization that lasts as long as it is used', async () => {
    const { app, tokens } = await linkOnce();
    expect(membersOf(tokens)).toEqual([400 * DAY, undefined]);
    expect(membersOf(await app.rp.introspect(tokens.refresh_token ?? ''))).toEqual([400 * DAY, undefined]);
    const second = await app.rp.refresh(tokens.refresh_token ?? '');
    await passFamily((await ownerOf(second.refresh_token ?? '')) ?? '', DAY);
    // The same successor once more, which was issued a day ago.
    expect(membersOf(await app.rp.refresh(tokens.refresh_token ?? ''))).toEqual([399 * DAY, undefined]);
  });

  test('has neither without a refresh token', async () => {
    const { agent } = await world.signUp();
    const app = await world.registerApp({ grant_types: ['authorization_code'] });
    const { tokens } = await world.link(agent, app.rp);
    expect(membersOf(tokens)).toEqual([undefined, undefined]);
    expect(membersOf(await app.rp.introspect(tokens.access_token))).toEqual([undefined, undefined]);
  });
});

describe('a link with an absolute end', () => {
  const TERM = 30 * DAY;

  const endOf = async (agent: UserAgent) => {
    const { link } = await onlyLink(agent);
    return (new Date(link?.endsAt ?? '').getTime() - Date.now()) / 1_000;
  };

  test('is renewed for a full term from now, by a person who has just proven to be there', async () => {
    const { agent, app, tokens, link } = await linkOnce({ refresh_family_ttl: TERM });
    expect(Math.abs((await endOf(agent)) - TERM)).toBeLessThan(60);
    const renew = () => agent.post(`/api/authorizations/${link.id}/renew`);
    await age(link.id, 20);
    now = new Date(Date.now() + 3_600_000);
    expect(refusal(await renew())).toEqual([403, 'step_up_required']);
    now = new Date();
    const renewed = await renew();
    expect(renewed.status).toBe(200);
    expect(renewed.json().id).toBe(link.id);
    expect(Math.abs((await endOf(agent)) - TERM)).toBeLessThan(60);
    const refreshed = await app.rp.refresh(tokens.refresh_token ?? '');
    expect(refreshed.authorization_expires_in).toBeGreaterThan(TERM - 60);
    const [latest] = (await agent.get('/api/activity')).json().items;
    expect(latest).toMatchObject({ kind: 'approval_renewed', client: { name: 'Example App' } });
  });

  test('outlives its first end once it is renewed, with the token that the app holds', async () => {
    const { agent, app, tokens, link } = await linkOnce({ refresh_family_ttl: TERM });
    await passFamily(link.id, TERM - 60);
    await age(link.id, 29);
    expect((await agent.post(`/api/authorizations/${link.id}/renew`)).status).toBe(200);
    await passFamily(link.id, 120);
    const { refresh_token } = await app.rp.refresh(tokens.refresh_token ?? '');
    expect((await app.rp.refresh(refresh_token ?? '')).access_token).toBeTypeOf('string');
  });

  test('is none where the app has no such term: there is nothing to renew', async () => {
    const { agent, link } = await linkOnce();
    expect(link.link).not.toHaveProperty('endsAt');
    expect(refusal(await agent.post(`/api/authorizations/${link.id}/renew`))).toEqual([
      409,
      'link_has_no_end',
    ]);
  });
});
