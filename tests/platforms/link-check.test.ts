import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { platformPresets } from '@candela/contract/rules/client-presets';
import { openTestDatabase } from '@candela/server/testing/databases';
import { createCommandRunner } from '@candela/server/testing/run-command';
import { insertStream } from '@candela/server/testing/signal-streams';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, freePort, type World } from '../support/world.ts';

const SECRET = 'a secret of the platform, long enough';

/** What each preset is registered with in docs/integrating/platforms.md. */
const registrations = {
  alexa: { client_name: 'Alexa', vendor_id: 'M2AAAAAAAAAAAA' },
  'google-home': { client_name: 'Google Home', project_id: 'our-lights-1a2b3' },
  'home-assistant': { client_name: 'Home Assistant' },
  alice: { client_name: 'Alice' },
  salute: { client_name: 'Salute' },
  'tmall-genie': { client_name: 'Tmall Genie' },
  xiaodu: {
    client_name: 'Xiaodu',
    redirect_uris: ['https://xiaodu.baidu.com/saiya/auth/0123456789abcdef'],
  },
  smartthings: { client_name: 'SmartThings' },
  ifttt: { client_name: 'IFTTT', service_id: 'our_lights' },
  'aws-iot': { client_name: 'Northern Homes', redirect_uris: ['https://callbacks.example/oauth'] },
} as const;

interface Step {
  step: string;
  outcome: string;
  problem?: string;
  field?: string;
  value?: string;
}

let world: World;
let candela: ReturnType<typeof createCommandRunner>;
beforeAll(async () => {
  const connection = await openTestDatabase();
  world = await createWorld({ connection });
  candela = createCommandRunner({ config: world.config, connection });
  await world.registerClients(
    platformPresets.map((preset) => ({
      client_id: preset,
      client_secret: SECRET,
      preset,
      verified: true,
      ...registrations[preset],
    })),
  );
});
afterAll(() => world.close());

const check = async (id: string) => {
  const { status, out } = await candela('link', 'check', id, '--json');
  const { steps, passed } = JSON.parse(out) as { steps: Step[]; passed: boolean };
  return { status, steps, passed };
};

/** The steps that did not pass, without those that the first failure left out. */
const faultsOf = (steps: readonly Step[]) =>
  steps.filter(({ outcome, problem }) => outcome !== 'skipped' && problem && problem !== 'issuer_not_https');

const document = readFileSync(join(import.meta.dirname, '../../docs/integrating/link-check.md'), 'utf8');
const outputs = [...document.matchAll(/^```text\n(.*?)^```$/gms)].map(([, output = '']) => output);

/** Seconds may begin between an issue and an answer. */
const toTens = (text: string) =>
  text.replaceAll(/(?<=refresh_token_timeout":)\d+/g, (seconds) => String(Math.round(Number(seconds) / 10)));

test.each(platformPresets.map((preset, at) => [preset, outputs[at]] as const))(
  '%s: the documentation shows what the command prints',
  async (preset, output = '') => {
    const { status, out } = await candela('link', 'check', preset);
    expect(toTens(out.replaceAll(world.origin, 'http://localhost:3000'))).toBe(toTens(output));
    expect(status).toBe(0);
  },
);

test('a check shows neither a secret nor a code or token, as text and as JSON', async () => {
  const said = await Promise.all([
    candela('link', 'check', 'ifttt'),
    candela('link', 'check', 'salute', '--json'),
  ]);
  for (const { out, error } of said) {
    expect(out.length).toBeGreaterThan(1_000);
    expect(out + error).not.toMatch(/link-check\.|[\w-]{43}/);
  }
});

/** A registration, what is changed in its row as an older release may have left it, and what a check finds. */
const faulty: readonly {
  name: string;
  entry: Record<string, unknown>;
  row?: Record<string, unknown>;
  finds: Step;
}[] = [
  {
    name: 'a redirect URI that Google’s app on iOS needs is missing',
    entry: {
      preset: 'google-home',
      redirect_uris: [
        'https://oauth-redirect.googleusercontent.com/r/our-lights-1a2b3',
        'https://oauth-redirect-sandbox.googleusercontent.com/r/our-lights-1a2b3',
      ],
    },
    finds: {
      step: 'redirect_uris',
      outcome: 'failed',
      problem: 'redirect_uri_missing',
      field: 'redirect_uris',
      value: 'https://oauth-redirect.googleusercontent.com/a/com.google.Chromecast',
    },
  },
  {
    name: 'refresh tokens rotate, and the platform repeats itself',
    entry: {
      redirect_uris: ['https://my.home-assistant.io/redirect/oauth'],
      token_endpoint_auth_method: 'client_secret_post',
      require_pkce: false,
      grant_types: ['authorization_code', 'refresh_token'],
      refresh_mode: 'rotate',
    },
    finds: {
      step: 'lost_answer',
      outcome: 'failed',
      problem: 'repeat_refused',
      field: 'refresh_mode',
      value: 'overlap',
    },
  },
  {
    name: 'Google’s first refresh token is replaced',
    entry: { preset: 'google-home', project_id: 'our-lights-1a2b3' },
    row: { refresh_mode: 'overlap' },
    finds: {
      step: 'later',
      outcome: 'failed',
      problem: 'link_ended_early',
      field: 'refresh_mode',
      value: 'static',
    },
  },
  {
    name: 'a link ends while its person is away',
    entry: { preset: 'alexa', vendor_id: 'M2AAAAAAAAAAAA', refresh_token_ttl: 2_592_000 },
    finds: {
      step: 'later',
      outcome: 'failed',
      problem: 'link_ended_early',
      field: 'refresh_token_ttl',
      value: '34560000',
    },
  },
  {
    name: 'access tokens live for less than 360 seconds',
    entry: { preset: 'alexa', vendor_id: 'M2AAAAAAAAAAAA' },
    row: { access_token_ttl: 300 },
    finds: {
      step: 'answer',
      outcome: 'failed',
      problem: 'lifetime_too_short',
      field: 'access_token_ttl',
      value: '300',
    },
  },
  {
    name: 'the platform sends a secret, and the client is registered to sign with a key',
    entry: { preset: 'alice' },
    row: { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [] } },
    finds: {
      step: 'exchange',
      outcome: 'failed',
      problem: 'authentication_refused',
      field: 'token_endpoint_auth_method',
      value: 'client_secret_post',
    },
  },
  {
    name: 'nothing of the registered scopes can be granted',
    entry: { preset: 'alice' },
    row: { scope: '' },
    finds: {
      step: 'link',
      outcome: 'failed',
      problem: 'scope_refused',
      field: 'scope',
      value: 'openid profile',
    },
  },
  {
    name: 'PKCE is required of a platform that sends none',
    entry: { preset: 'salute' },
    row: { require_pkce: true },
    finds: {
      step: 'link',
      outcome: 'failed',
      problem: 'challenge_required',
      field: 'require_pkce',
      value: 'false',
    },
  },
  {
    name: 'Alice ends a link by its access token, and the refresh token works on',
    entry: { preset: 'alice' },
    row: { revocation_ends_link: false },
    finds: {
      step: 'unlink',
      outcome: 'failed',
      problem: 'link_survives',
      field: 'preset',
      value: 'alice',
    },
  },
  {
    name: 'the client is disabled',
    entry: { preset: 'xiaodu', redirect_uris: registrations.xiaodu.redirect_uris, disabled: true },
    finds: { step: 'link', outcome: 'failed', problem: 'client_disabled' },
  },
];

describe('a check fails', () => {
  test.each(faulty)('where $name', async ({ entry, row = {}, finds }) => {
    const id = `faulty-${faulty.findIndex((one) => one.finds === finds)}`;
    await world.registerClients([
      { client_id: id, client_secret: SECRET, client_name: 'A platform', ...entry },
    ]);
    await sql`update client set metadata = metadata || ${JSON.stringify(row)}::jsonb where id = ${id}`.execute(
      world.db,
    );
    const { status, steps, passed } = await check(id);
    expect(faultsOf(steps).find(({ step }) => step === finds.step)).toMatchObject(finds);
    expect([status, passed]).toEqual([1, false]);
  });

  test('where the token of an API is longer than Alice takes', async () => {
    const scopes = Array.from({ length: 80 }, (_, index) => `lights:room-number-${index}:switch`);
    await world.registerResources([
      {
        identifier: 'https://lights.example.com/v1',
        name: 'Lights',
        scopes: scopes.map((name) => ({ name, description: { en: 'switch a light' } })),
      },
    ]);
    await world.registerClients([
      {
        client_id: 'alice-of-many-rooms',
        client_secret: SECRET,
        client_name: 'Alice',
        preset: 'alice',
        scope: scopes.join(' '),
      },
    ]);
    const { steps } = await check('alice-of-many-rooms');
    const [fault] = faultsOf(steps);
    expect(fault).toMatchObject({ step: 'answer', problem: 'token_too_long', field: 'scope' });
    expect(Number(fault?.value)).toBeGreaterThan(2_048);
  });

  test('with the next step, where no server answers', async () => {
    const connection = await openTestDatabase();
    const port = await freePort();
    const away = createCommandRunner({
      config: {
        ...world.config,
        brands: [{ ...world.config.brands[0], origin: `http://localhost:${port}` }],
      },
      connection,
    });
    await away('client', 'create', '--preset', 'alice', '--name', 'Alice');
    const [{ id = '' } = {}] = (await sql<{ id: string }>`select id from client`.execute(connection.db)).rows;
    const { status, out } = await away('link', 'check', id);
    expect(out).toContain('start the server ("npx pnpm@12 start")');
    expect(status).toBe(1);
    await connection.close();
  });

  test('where the server is of another database than the command', async () => {
    const connection = await openTestDatabase();
    const beside = createCommandRunner({ config: world.config, connection });
    await beside('client', 'create', '--preset', 'alice', '--name', 'Alice');
    const [{ id = '' } = {}] = (await sql<{ id: string }>`select id from client`.execute(connection.db)).rows;
    const { out } = await beside('link', 'check', id);
    expect(out).toContain('use the same database');
    await connection.close();
  });
});

test('Basic in the registration is right for a platform that sends the body: the server takes both', async () => {
  await world.registerClients([
    {
      client_id: 'alice-basic',
      client_secret: SECRET,
      client_name: 'Alice',
      preset: 'alice',
      token_endpoint_auth_method: 'client_secret_basic',
    },
  ]);
  expect(await check('alice-basic')).toMatchObject({ status: 0, passed: true });
});

test.each([
  ['nobody', 'no client has the id "nobody"; client list shows them'],
  ['a-web-app', 'there is nothing to play'],
])('there is no check of %s', async (id, says) => {
  await world.registerClients([
    {
      client_id: 'a-web-app',
      client_secret: SECRET,
      client_name: 'A web app',
      preset: 'web',
      redirect_uris: ['https://app.example/callback'],
    },
  ]);
  const { status, out, error } = await candela('link', 'check', id);
  expect([status, out]).toEqual([1, '']);
  expect(error).toContain(says);
});

describe('CL11: a check leaves nothing behind', () => {
  /**
   * Counters of limits end by themselves; a session or an address is counted there, never a stand-in. That an operator
   * asked for a check stays in the record.
   */
  const ends = ['rate_limit', 'client_day', 'staff_record', 'staff_record_head'];

  const countRows = async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`.execute(world.db);
    const counts: Record<string, number> = {};
    for (const { name } of rows.filter((table) => !ends.includes(table.name))) {
      const [row] = (
        await sql<{ count: number }>`select count(*)::int as count from ${sql.table(name)}`.execute(world.db)
      ).rows;
      counts[name] = row?.count ?? 0;
    }
    return counts;
  };

  test('in any table, and no event, message, error or refresh that counts', async () => {
    // A receiver of the brand's own, which hears of all.
    const own = await world.registerApp({ first_party: true });
    await insertStream(world.db, { id: 'own', brand: 'aurelia', client_id: own.clientId });
    const { agent } = await world.signUp();
    await agent.get('/api/account');
    await world.flushRecords();
    const [rows, mail] = [await countRows(), await world.messages()];
    const names = ['sign_in.succeeded', 'consent.given', 'token.refused', 'token.repeated', 'token.revoked'];
    const counted = () => names.map((name) => world.countEvent(name));
    const before = [counted(), world.countEvent('token.refused', 'invalid_grant')];
    expect((await check('alice')).passed).toBe(true);
    await world.flushRecords();
    expect(await countRows()).toEqual(rows);
    expect(await world.messages()).toEqual(mail);
    expect([counted(), world.countEvent('token.refused', 'invalid_grant')]).toEqual(before);
    expect((await world.clientHealth.listErrors('alice', {})).items).toEqual([]);
  });

  test('where it was killed: the sweep takes its stand-in away, and only that', async () => {
    const id = 'link-check.0123456789abcdef';
    await sql`insert into client (id, metadata, created_at)
      values (${id}, '{"client_name":"Left"}', now() - interval '6 minutes')`.execute(world.db);
    await sql`insert into account (id, nickname, locale, status, created_at, updated_at)
      values (${id}, 'Left', 'en', 'active', now(), now())`.execute(world.db);
    expect((await candela('client', 'list')).out).not.toContain(id);
    const clients = (await countRows()).client ?? 0;
    await world.sweep();
    const after = await countRows();
    expect(after.client).toBe(clients - 1);
    const found = await sql`select id from account where id = ${id}`.execute(world.db);
    expect(found.rows).toEqual([]);
  });
});

test('nobody registers a client under the id of a stand-in', async () => {
  const draft = { client_id: 'link-check.mine', client_name: 'Mine', preset: 'alice', client_secret: SECRET };
  await expect(world.registerClients([draft])).rejects.toThrow(/must not begin with/);
});

test('CL11: two checks of a client at once: one plays, the other is refused', async () => {
  const answers = await Promise.all([candela('link', 'check', 'salute'), candela('link', 'check', 'salute')]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([0, 1]);
  expect(answers.map(({ error }) => error).join('')).toContain('is being checked');
});

describe('POST /api/clients/:id/check', () => {
  test('CL11: answers the steps to a developer of the client, and not_found to another', async () => {
    const [owner, other] = [await world.signUpDeveloper(), await world.signUpDeveloper()];
    await world.inviteDeveloper('aws-iot', owner.identifier);
    const answer = await owner.agent.post('/api/clients/aws-iot/check');
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ platform: 'aws-iot', issuer: world.origin, passed: true });
    const refused = await other.agent.post('/api/clients/aws-iot/check');
    expect([refused.status, refused.json().error.code]).toEqual([404, 'not_found']);
  });

  test('is refused of a client of no platform, of the brand’s own, and beyond 20 in an hour', async () => {
    const { agent, identifier } = await world.signUpDeveloper();
    const app = await world.registerApp();
    const own = await world.registerApp({ first_party: true, preset: 'alice', redirect_uris: undefined });
    for (const { clientId } of [app, own]) await world.inviteDeveloper(clientId, identifier);
    const codeOf = async (id: string) => (await agent.post(`/api/clients/${id}/check`)).json().error.code;
    expect(await codeOf(app.clientId)).toBe('not_of_platform');
    expect(await codeOf(own.clientId)).toBe('operator_required');
    await world.inviteDeveloper('ifttt', identifier);
    await sql`update rate_limit set hits = 20 where key = 'link_checks ifttt'`.execute(world.db);
    expect(await codeOf('ifttt')).toBe('rate_limited');
  });
});
