import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOf } from '../support/token.ts';
import { createWorld, type World } from '../support/world.ts';
import type { RegisteredApp } from './authorization.ts';
import { linkApp } from './refresh-link.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const invalidGrant = expect.objectContaining({ error: 'invalid_grant' });

/** A link and its first refresh token. */
const link = async (metadata: Record<string, unknown> = {}) => {
  const { agent } = await world.signUp();
  const app = await world.registerApp(metadata);
  const { tokens } = await world.link(agent, app.rp);
  const { grant_id: grantId } = await world.db
    .selectFrom('refresh_token')
    .select('grant_id')
    .where('id_hash', '=', hashOf(tokens.refresh_token ?? ''))
    .executeTakeFirstOrThrow();
  return { agent, app, tokens, grantId, refreshToken: tokens.refresh_token ?? '' };
};

const refresh = async ({ rp }: RegisteredApp, token: string) => {
  const tokens = await rp.refresh(token);
  return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token ?? '' };
};

const refused = async (app: RegisteredApp, token: string) => {
  await expect(app.rp.refresh(token)).rejects.toEqual(invalidGrant);
};

const age = (column: 'first_used_at' | 'created_at', token: string, seconds: number) =>
  sql`update refresh_token set ${sql.ref(column)} = ${sql.ref(column)} - ${seconds} * interval '1 second'
    where id_hash = ${hashOf(token)}`.execute(world.db);

const rowsOf = (grantId: string) =>
  world.db.selectFrom('refresh_token').select('id_hash').where('grant_id', '=', grantId).execute();

describe('OA4: refresh token overlap', () => {
  test('a repeated refresh returns the same successor, with a new access token', async () => {
    const { app, refreshToken, grantId } = await link();
    const first = await refresh(app, refreshToken);
    const again = await refresh(app, refreshToken);
    expect(first.refreshToken).not.toBe(refreshToken);
    expect(again.refreshToken).toBe(first.refreshToken);
    expect(again.accessToken).not.toBe(first.accessToken);
    expect(await rowsOf(grantId)).toHaveLength(2);
    expect(await app.rp.introspect(first.accessToken)).toMatchObject({ active: true });
    expect(await app.rp.introspect(again.accessToken)).toMatchObject({ active: true });
  });

  test('parallel refreshes all return the same successor', async () => {
    const { app, refreshToken, grantId } = await link();
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(app, refreshToken)));
    expect(new Set(answers.map((answer) => answer.refreshToken)).size).toBe(1);
    expect(await rowsOf(grantId)).toHaveLength(2);
    expect((await refresh(app, answers[0]?.refreshToken ?? '')).accessToken).toBeTypeOf('string');
  });

  test('within the grace after the successor’s use a late duplicate is refused, and the family stays valid', async () => {
    const { app, refreshToken } = await link();
    const { refreshToken: second } = await refresh(app, refreshToken);
    const { refreshToken: third, accessToken } = await refresh(app, second);
    await refused(app, refreshToken);
    expect(await app.rp.introspect(accessToken)).toMatchObject({ active: true });
    expect((await refresh(app, third)).accessToken).toBeTypeOf('string');
  });

  test('after the grace a duplicate is theft: the whole family ends', async () => {
    const { app, refreshToken, tokens } = await link();
    const { refreshToken: second, accessToken } = await refresh(app, refreshToken);
    const { refreshToken: third } = await refresh(app, second);
    await age('first_used_at', second, 61);
    await refused(app, refreshToken);
    await refused(app, third);
    await refused(app, second);
    expect(await app.rp.introspect(accessToken)).toEqual({ active: false });
    expect(await app.rp.introspect(tokens.access_token)).toEqual({ active: false });
  });

  test('presenting an old ancestor is theft too', async () => {
    const { app, refreshToken } = await link();
    let token = refreshToken;
    for (let turn = 0; turn < 3; turn += 1) {
      const next = await refresh(app, token);
      await age('first_used_at', token, 120);
      token = next.refreshToken;
    }
    await refused(app, refreshToken);
    await refused(app, token);
  });

  test('another app’s refresh token is refused, and stays valid', async () => {
    const { app, refreshToken } = await link();
    await refused(await world.registerApp(), refreshToken);
    expect((await refresh(app, refreshToken)).accessToken).toBeTypeOf('string');
  });

  const publicApp = { token_endpoint_auth_method: 'none' };
  const DAY = 24 * 3600;
  test.each([
    ['a confidential app', {}, 59 * DAY, 61 * DAY],
    ['a public app', publicApp, 590, 610],
  ])(
    '%s may repeat until its bound; after it a repetition is theft, and who holds the successor loses it',
    async (_name, metadata, before, beyond) => {
      const { app, refreshToken, grantId } = await link(metadata);
      const { refreshToken: second } = await refresh(app, refreshToken);
      await age('created_at', second, before);
      expect((await refresh(app, refreshToken)).refreshToken).toBe(second);
      await age('created_at', second, beyond - before);
      await refused(app, refreshToken);
      await refused(app, second);
      expect(await rowsOf(grantId)).toEqual([]);
    },
  );
});

describe('OA4: a token past its own end or its family’s is only refused', () => {
  test.each([
    ['its lifetime', { refresh_token_ttl: 900 }],
    ['its family', { refresh_family_ttl: 900 }],
  ])('by %s, though its overlap is over too', async (_name, metadata) => {
    const { app, refreshToken, grantId } = await link({ token_endpoint_auth_method: 'none', ...metadata });
    const { refreshToken: second } = await refresh(app, refreshToken);
    await age('created_at', second, 700);
    await sql`update refresh_token set expires_at = now() - interval '1 second' where id_hash = ${hashOf(refreshToken)}`.execute(
      world.db,
    );
    await refused(app, refreshToken);
    expect(await rowsOf(grantId)).toHaveLength(2);
  });
});

test('OA4: an answer that is lost shortly before the end of a token costs no link', async () => {
  const { agent } = await world.signUp();
  const web = await world.registerApp({ refresh_token_ttl: 86_400 });
  const { app, first, pass } = await linkApp(world, agent, web);
  await pass(86_390);
  const lost = await refresh(app, first);
  await pass(3600);
  const again = await refresh(app, first);
  expect(again.refreshToken).toBe(lost.refreshToken);
  await refresh(app, again.refreshToken);
  await refused(app, first);
});

describe('revoking', () => {
  test('an access token does not end the link', async () => {
    const { app, tokens, refreshToken } = await link();
    const other = await refresh(app, refreshToken);
    await app.rp.revoke(tokens.access_token, 'access_token');
    expect(await app.rp.introspect(tokens.access_token)).toEqual({ active: false });
    expect(await app.rp.introspect(other.accessToken)).toMatchObject({ active: true });
    expect((await refresh(app, other.refreshToken)).accessToken).toBeTypeOf('string');
  });

  test('a refresh token ends the approval and all of its tokens', async () => {
    const { agent, app, tokens, refreshToken } = await link();
    const second = await refresh(app, refreshToken);
    await app.rp.revoke(second.refreshToken);
    await refused(app, second.refreshToken);
    await refused(app, refreshToken);
    expect(await app.rp.introspect(tokens.access_token)).toEqual({ active: false });
    expect(await app.rp.introspect(second.accessToken)).toEqual({ active: false });
    expect((await agent.get('/api/authorizations')).json().items).toEqual([]);
  });

  test('a predecessor also ends the approval', async () => {
    const { app, refreshToken } = await link();
    const second = await refresh(app, refreshToken);
    await app.rp.revoke(refreshToken);
    await refused(app, second.refreshToken);
  });
});

describe('a grant', () => {
  const endOf = async (grantId: string) => {
    const row = await world.db
      .selectFrom('authorization_grant')
      .select('expires_at')
      .where('id', '=', grantId)
      .executeTakeFirstOrThrow();
    return row.expires_at.getTime();
  };

  test('lasts as long as its refresh tokens', async () => {
    const { app, refreshToken, grantId } = await link();
    const { max } = await world.db
      .selectFrom('refresh_token')
      .select((eb) => eb.fn.max('expires_at').as('max'))
      .where('grant_id', '=', grantId)
      .executeTakeFirstOrThrow();
    expect(await endOf(grantId)).toBeGreaterThanOrEqual(max.getTime());

    await sql`update authorization_grant set expires_at = now() + interval '1 minute' where id = ${grantId}`.execute(
      world.db,
    );
    await refresh(app, refreshToken);
    expect(await endOf(grantId)).toBeGreaterThan(Date.now() + 300 * 24 * 3600 * 1000);
  });

  test('that has ended yields invalid_grant', async () => {
    const { app, refreshToken, grantId } = await link();
    await sql`update authorization_grant set expires_at = now() - interval '1 minute' where id = ${grantId}`.execute(
      world.db,
    );
    await refused(app, refreshToken);
  });

  test('can be narrowed by the requested scope, and never widened', async () => {
    const { app, refreshToken } = await link();
    const narrow = await app.rp.refresh(refreshToken, { scope: 'openid' });
    expect(narrow.scope).toBe('openid');
    await expect(app.rp.refresh(narrow.refresh_token ?? '', { scope: 'openid email' })).rejects.toMatchObject(
      {
        error: 'invalid_scope',
      },
    );
  });
});
