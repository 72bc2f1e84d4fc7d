import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { importLinkLines } from '../../../testing/import-links.ts';
import type { ResourceServer } from '../../clients/resource-server/resource-server.service.ts';

const now = () => new Date('2026-01-01T00:00:00Z');

const api = (identifier: string, names: string[]): ResourceServer => ({
  identifier,
  brand: undefined,
  name: identifier,
  scopes: names.map((name) => ({ name })),
  access_token_format: 'jwt',
  access_token_ttl: 3_600,
  access_token_signing_alg: 'ES256',
});
const LIGHTS = 'https://lights.example/v1';
const SCENES = 'https://scenes.example/';
const resourceServers = {
  listOfBrand: async () => [api(LIGHTS, ['read', 'switch']), api(SCENES, ['read', 'play'])],
};

const digest = (token: string, encoding: 'hex' | 'base64url') =>
  createHash('sha256').update(token).digest(encoding);

describeOnDatabases('importing links', (connection) => {
  const run = (lines: readonly (object | string)[], options: { batchSize?: number } = {}) =>
    importLinkLines(lines, { db: connection.db, now, resourceServers, ...options });

  beforeAll(async () => {
    const { db } = connection;
    const made = { locale: 'zh-Hant', status: 'active', created_at: now(), updated_at: now() } as const;
    await db
      .insertInto('account')
      .values(['ada', 'bob'].map((id) => ({ id, nickname: id, ...made })))
      .execute();
    const email = { kind: 'email', value: 'ada@example.com', display: 'ada@example.com' } as const;
    await db
      .insertInto('account_identifier')
      .values({ ...email, account_id: 'ada', verified_at: now() })
      .execute();
    const refreshing = { grant_types: ['authorization_code', 'refresh_token'] };
    const clients = [
      ['hub', null, refreshing],
      ['abroad', 'borealis', refreshing],
      ['narrow', 'aurelia', { ...refreshing, scope: 'openid email read' }],
      ['brief', 'aurelia', { ...refreshing, refresh_family_ttl: 3_600 }],
      ['web', 'aurelia', { grant_types: ['authorization_code'] }],
      ['off', 'aurelia', refreshing],
    ] as const;
    await db
      .insertInto('client')
      .values(
        clients.map(([id, brand, metadata]) => ({
          id,
          brand,
          metadata: JSON.stringify(metadata),
          approved_fingerprint: null,
          made_by: null,
          disabled: id === 'off',
          updated_at: now(),
        })),
      )
      .execute();
  });

  const usual = { client_id: 'hub', account: 'ada', scope: 'openid', brand: 'aurelia' };

  test('a line makes a grant and a refresh token, whose value only its hash is kept of', async () => {
    const token = 'an old token of the kitchen';
    const line = { ...usual, account: 'Ada@Example.com', since: '2025-06-01', scope: 'openid email play' };
    expect(await run([{ ...line, refresh_token_sha256: digest(token, 'hex') }])).toMatchObject({
      imported: 1,
    });
    const grant = await connection.db
      .selectFrom('authorization_grant')
      .selectAll()
      .where('scope', 'like', '%play')
      .executeTakeFirstOrThrow();
    expect(grant).toMatchObject({
      brand: 'aurelia',
      account_id: 'ada',
      client_id: 'hub',
      has_refresh_token: true,
      scope: `openid email ${SCENES}#play`,
      locale: 'zh-Hant',
      created_at: new Date('2025-06-01T00:00:00Z'),
    });
    const stored = await connection.db
      .selectFrom('refresh_token')
      .selectAll()
      .where('grant_id', '=', grant.id)
      .executeTakeFirstOrThrow();
    expect(stored).toMatchObject({
      id_hash: digest(token, 'base64url'),
      payload: { scope: 'openid email play', resource: SCENES },
      expires_at: grant.expires_at,
    });
    // The same link, told in other words.
    const words = [{ refresh_token: token }, { refresh_token_sha256: digest(token, 'base64url') }];
    expect(await run(words.map((word) => ({ ...line, ...word })))).toMatchObject({ unchanged: 2 });
  });

  test('an interrupted run continues where it stopped, also beside another', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => ({
      ...usual,
      refresh_token: `old token ${index}`,
    }));
    expect(await run(lines.slice(0, 12), { batchSize: 5 })).toMatchObject({ imported: 12 });
    const runs = await Promise.all([run(lines, { batchSize: 4 }), run(lines.toReversed(), { batchSize: 7 })]);
    for (const { imported, unchanged } of runs) expect(imported + unchanged).toBe(30);
    const links = await connection.db
      .selectFrom('refresh_token')
      .innerJoin('authorization_grant', (join) =>
        join
          .onRef('authorization_grant.brand', '=', 'refresh_token.brand')
          .onRef('authorization_grant.id', '=', 'refresh_token.grant_id'),
      )
      .select('id_hash')
      .where(
        'id_hash',
        'in',
        lines.map(({ refresh_token }) => digest(refresh_token, 'base64url')),
      )
      .execute();
    expect(links).toHaveLength(30);
  });

  test('the report lists refused lines by number and reason', async () => {
    const line = (changed: object) => ({ ...usual, refresh_token: randomUUID(), ...changed });
    const taken = { refresh_token: 'a token that two lines have' };
    const hash = digest('x', 'base64url');
    const lines: [object | string, string][] = [
      ['{', 'line_invalid'],
      [{ ...line({}), scope: 7 }, 'line_invalid'],
      ...['client_id', 'account', 'refresh_token', 'scope', 'since', 'brand'].flatMap(
        (field): [object, string][] =>
          ['x\0', 'x\ud800'].map((text) => [line({ [field]: text }), 'line_invalid']),
      ),
      [line({ label: 'no' }), 'field_unknown'],
      [line({ client_id: '' }), 'client_missing'],
      [line({ account: null }), 'account_missing'],
      [line({ account: '13800138000 ' }), 'account_invalid'],
      [line({ account: '+86 1' }), 'account_invalid'],
      [line({ refresh_token: '' }), 'token_missing'],
      [line({ refresh_token: 'x'.repeat(2_049) }), 'token_invalid'],
      [line({ refresh_token_sha256: hash }), 'token_invalid'],
      [{ ...usual, refresh_token_sha256: hash.slice(1) }, 'token_invalid'],
      [{ ...usual, refresh_token_sha256: `${hash.slice(0, -1)}9` }, 'token_invalid'],
      [{ ...usual, refresh_token_sha256: digest('x', 'hex').slice(2) }, 'token_invalid'],
      [line({ scope: ' ' }), 'scope_missing'],
      [line({ since: 'yesterday' }), 'since_invalid'],
      [line({ since: '2025-13-01' }), 'since_invalid'],
      [line({ since: '2024-02-30' }), 'since_invalid'],
      [line({ since: '2023-02-29T12:00:00Z' }), 'since_invalid'],
      [line({ since: '2024-02-29T23:59:59-11:00' }), 'imported'],
      [line({ since: '2026-01-01T00:00:01Z' }), 'since_in_future'],
      [line({ brand: 'nobody' }), 'brand_unknown'],
      [line({ brand: null }), 'brand_missing'],
      [line({ client_id: 'nobody' }), 'client_unknown'],
      [line({ client_id: 'off' }), 'client_disabled'],
      [line({ client_id: 'abroad' }), 'client_of_other_brand'],
      [line({ client_id: 'web' }), 'client_without_refresh_tokens'],
      [line({ account: 'nobody' }), 'account_unknown'],
      [line({ account: 'nobody@example.com' }), 'account_unknown'],
      [line({ scope: 'openid root' }), 'scope_not_allowed'],
      [line({ client_id: 'narrow', scope: 'openid phone' }), 'scope_not_allowed'],
      [line({ client_id: 'narrow', scope: `${LIGHTS}#switch` }), 'scope_not_allowed'],
      [line({ scope: 'read' }), 'scope_ambiguous'],
      [line({ client_id: 'brief', since: '2025-12-31T23:00:00Z' }), 'link_over'],
      [line(taken), 'imported'],
      [line({ ...taken, account: 'bob' }), 'token_taken'],
      [line({ ...taken, client_id: 'narrow' }), 'token_taken'],
      [line({ scope: `${LIGHTS}#read` }), 'imported'],
      [line({ client_id: 'abroad', brand: undefined }), 'imported'],
      [line({ client_id: 'brief', since: '2025-12-31T23:00:01Z' }), 'imported'],
    ];
    for (const batchSize of [3, 500]) {
      const { reasons } = await run([...lines.map(([each]) => each)], { batchSize });
      expect(reasons).toEqual(
        lines.flatMap(([, reason], index) => (reason === 'imported' ? [] : [[index + 1, reason]])),
      );
    }
  });
});
