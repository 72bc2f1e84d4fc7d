import { importLinkLines } from '@candela/server/testing/import-links';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Platform, registerPlatform } from '../support/platform.ts';
import { hashOf } from '../support/token.ts';
import { createWorld, type World } from '../support/world.ts';

const PROJECT = 'our-lights-1a2b3';
const redirectUri = `https://oauth-redirect.googleusercontent.com/r/${PROJECT}`;
/** https://developers.home.google.com/cloud-to-cloud/account-linking-migration, November 2026. */
const onIos = 'https://oauth-redirect.googleusercontent.com/a/com.google.Chromecast';
const sandbox = `https://oauth-redirect-sandbox.googleusercontent.com/r/${PROJECT}`;

let world: World;
let google: Platform;
beforeAll(async () => {
  world = await createWorld();
  google = await registerPlatform(world, {
    metadata: { preset: 'google-home', project_id: PROJECT },
    redirectUri,
    authentication: 'body',
  });
});
afterAll(() => world.close());

describe('Google Home links an account', () => {
  test.each([redirectUri, sandbox, onIos])(
    'with its secret in the body, and is answered at %s',
    async (uri) => {
      const { agent } = await world.signUp();
      const callback = await google.authorize(agent, {
        redirect_uri: uri,
        user_locale: 'en-US',
        state: 'abc',
      });
      expect([callback.origin + callback.pathname, callback.searchParams.get('state')]).toEqual([uri, 'abc']);
      const { status, body } = await google.exchange(callback);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        token_type: 'Bearer',
        access_token: expect.any(String),
        refresh_token: expect.any(String),
        expires_in: expect.any(Number),
      });
      expect(await google.use(body.access_token)).toBe(200);
    },
  );

  /** https://developers.home.google.com/app-flip, November 2026: the account is linked to Google, not to a product. */
  test('after the person has read that the account is linked to Google, and its privacy policy', async () => {
    const { agent } = await world.signUp();
    const { url } = await agent.navigate(google.authorizationUrl());
    const { client } = await world.details(agent, world.interactionOf(url));
    expect(client).toMatchObject({ linksTo: 'google', policyUri: 'https://policies.google.com/privacy' });
  });

  test('but not at the address of another project', async () => {
    const { agent } = await world.signUp();
    const { answer } = await agent.navigate(
      google.authorizationUrl({ redirect_uri: redirectUri.replace(PROJECT, 'another-project') }),
    );
    expect(answer?.status).toBe(400);
  });

  test.each([
    [{ user_locale: 'zh-TW' }, 'zh-Hant'],
    [{ user_locale: 'zh-CN' }, 'zh-Hans'],
    [{ user_locale: 'ru-RU' }, 'ru'],
    [{ user_locale: 'fr-FR' }, 'en'],
    [{ user_locale: '../../etc' }, 'en'],
    [{ user_locale: 'ru', ui_locales: 'zh-TW' }, 'zh-Hant'],
    [{ user_locale: 'ru', ui_locales: 'fr' }, 'ru'],
  ])('in the language of %j: %s', async (parameters, locale) => {
    const agent = world.browser({ language: 'en-GB' });
    const { url } = await agent.navigate(google.authorizationUrl(parameters));
    expect((await world.details(agent, world.interactionOf(url))).locale).toBe(locale);
  });
});

describe('Google Home stays linked', () => {
  /** Google’s own record: a response replaces the refresh token only if it has a new one. */
  const refreshAsGoogle = async (kept: string) => {
    const { status, body } = await google.refresh(kept);
    expect([status, body.token_type]).toEqual([200, 'Bearer']);
    expect(body.expires_in).toBeGreaterThanOrEqual(360);
    expect(await google.use(body.access_token)).toBe(200);
    return body as { access_token: string; refresh_token?: string };
  };

  test('with the first refresh token for good: no refresh replaces it', async () => {
    const { agent } = await world.signUp();
    const { access_token: first, refresh_token: kept } = await google.link(agent);
    const seen = new Set([first]);
    for (let round = 0; round < 5; round += 1) {
      const { access_token: accessToken, refresh_token: told } = await refreshAsGoogle(kept);
      expect([undefined, kept]).toContain(told);
      seen.add(accessToken);
    }
    expect(seen.size).toBe(6);
  });

  test('with that token months later, and with parallel refreshes', async () => {
    const { agent } = await world.signUp();
    const { refresh_token: kept } = await google.link(agent);
    await refreshAsGoogle(kept);
    await sql`update refresh_token set created_at = created_at - interval '200 days',
      first_used_at = first_used_at - interval '200 days'
      where id_hash = ${hashOf(kept)}`.execute(world.db);
    await Promise.all(Array.from({ length: 4 }, () => refreshAsGoogle(kept)));
    await refreshAsGoogle(kept);
  });

  test('with a link that each refresh extends', async () => {
    const { agent } = await world.signUp();
    const { refresh_token: kept } = await google.link(agent);
    const idHash = hashOf(kept);
    await sql`update refresh_token set expires_at = now() + interval '1 day' where id_hash = ${idHash}`.execute(
      world.db,
    );
    await refreshAsGoogle(kept);
    const { days } = await world.db
      .selectFrom('refresh_token')
      .select(sql<number>`extract(day from expires_at - now())::int`.as('days'))
      .where('id_hash', '=', idHash)
      .executeTakeFirstOrThrow();
    expect(days).toBeGreaterThan(390);
  });
});

describe('Google Home is asked to come again', () => {
  const later = (answer: unknown) =>
    expect(answer).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } });

  test('by a database that has had no link of it for long, as one has that was started by mistake', async () => {
    const { agent } = await world.signUp();
    const metadata = { preset: 'google-home', project_id: PROJECT };
    const known = await registerPlatform(world, { metadata, redirectUri, authentication: 'body' });
    const kept = 'a refresh token of the database that is meant';
    later(await known.refresh(kept));
    later(await known.revoke(kept));
    await known.link(agent);
    later(await known.refresh(kept));
    const age = (interval: string) =>
      sql`update authorization_grant set created_at = now() - cast(${interval} as interval)
        where client_id = ${known.clientId}`.execute(world.db);
    await age('1 hour');
    const refused = { status: 400, body: { error: 'invalid_grant' } };
    expect(await known.refresh(kept)).toMatchObject(refused);
    await age('1 minute');
    await agent.delete('/api/authorizations');
    expect(await known.refresh(kept)).toMatchObject(refused);
  });

  test('while its link is of a brand that is not served, as after a change of the id', async () => {
    const { identifier } = await world.signUp();
    const kept = 'kept since before';
    const line = { client_id: google.clientId, account: identifier, refresh_token: kept, scope: 'openid' };
    const brands = ['aurelia', 'of-before'];
    const bring = (brand: string) => importLinkLines([{ ...line, brand }], { db: world.db, brands });
    expect(await bring('of-before')).toMatchObject({ imported: 1 });
    later(await google.refresh(kept));
    expect(await bring('aurelia')).toMatchObject({ imported: 1 });
    expect(await google.refresh(kept)).toMatchObject({ status: 200 });
  });
});

describe('Google Home is refused with invalid_grant and nothing else', () => {
  test('after it revoked the link itself', async () => {
    const { agent } = await world.signUp();
    const { access_token: accessToken, refresh_token: kept } = await google.link(agent);
    expect((await google.revoke(kept)).status).toBe(200);
    const { status, text } = await google.refresh(kept);
    expect([status, text]).toEqual([400, '{"error":"invalid_grant"}']);
    expect(await google.use(accessToken)).toBe(401);
  });

  test('after the person withdrew the link, until they link again', async () => {
    const { agent } = await world.signUp();
    const { refresh_token: kept } = await google.link(agent);
    await agent.delete('/api/authorizations');
    const { status, text } = await google.refresh(kept);
    expect([status, text]).toEqual([400, '{"error":"invalid_grant"}']);
    const { refresh_token: again } = await google.link(agent);
    expect((await google.refresh(again)).status).toBe(200);
  });

  test('when a code is used twice or with another redirect URI', async () => {
    const { agent } = await world.signUp();
    const callback = await google.authorize(agent);
    expect((await google.exchange(callback)).status).toBe(200);
    const twice = await google.exchange(callback);
    expect([twice.status, twice.text]).toEqual([400, '{"error":"invalid_grant"}']);
    const elsewhere = await google.exchange(await google.authorize(agent), { redirect_uri: sandbox });
    expect([elsewhere.status, elsewhere.text]).toEqual([400, '{"error":"invalid_grant"}']);
  });
});
