import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../../ground/start-error.ts';
import { findClientFault } from '../../protocol/oidc/client-faults.ts';
import { describeConfig, readConfig } from './config.ts';
import { poolOfWorker } from './settings.ts';

const directory = mkdtempSync(join(tmpdir(), 'candela-config-'));
afterAll(() => rmSync(directory, { recursive: true }));

const KEY = 'k'.repeat(32);
const base = { DATA_DIR: join(directory, 'data'), SECRET_KEY: KEY, COOKIE_KEYS: KEY };

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://id.example',
  DATABASE_URL: 'postgres://db.example/candela',
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'id@example.com',
  SMS_URL: 'https://sms.example/',
  SMS_SECRET: KEY,
};

let files = 0;
const fileWith = (content: unknown): string => {
  const path = join(directory, `file-${++files}`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig({ ...base, ...env }, findClientFault);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('numbers', () => {
  test.each(['PORT', 'CODE_TTL_SECONDS', 'CODE_MAX_TRIES'])('%s is at least 1', (name) => {
    expect(problemsOf({ [name]: '0' })).toEqual([
      expect.stringContaining(`${name} must be a whole number from 1`),
    ]);
    expect(problemsOf({ [name]: '1' })).toEqual([]);
  });

  test('the playground and the server have different ports', () => {
    expect(problemsOf({ PORT: '4000', PLAYGROUND_PORT: '4000' })).toEqual([
      'PORT and PLAYGROUND_PORT are both 4000',
    ]);
  });
});

test('beginnings of phone numbers have their plus, which may be left out, and are nothing else', () => {
  const read = (value: string) => readConfig({ ...base, CODE_PHONE_PREFIXES: value }).codes.phonePrefixes;
  expect(read('1,+86, 7')).toEqual(['+1', '+86', '+7']);
  expect(read('')).toEqual([]);
  for (const value of ['0086', 'China', '+', '1-415', '++1'])
    expect(problemsOf({ CODE_PHONE_PREFIXES: `+7,${value}` })).toEqual([
      `CODE_PHONE_PREFIXES must be beginnings of phone numbers such as +86 or +1415, not "${value}"`,
    ]);
});

test.each(['0.0.0.0', '::', '::1', 'localhost', 'box-7.internal'])('HOST may be %s', (HOST) => {
  expect(problemsOf({ HOST })).toEqual([]);
});

test.each(['not a host!', '127.0.0.1:3000', '[::1]', 'http://localhost', '-x'])(
  'HOST may not be %s',
  (HOST) => {
    expect(problemsOf({ HOST })).toEqual([
      `HOST must be an address or a name of this machine, such as 0.0.0.0, not "${HOST}"`,
    ]);
  },
);

describe('a fault that follows from another is not told', () => {
  const file = join(directory, 'nowhere');
  test.each<[string, Record<string, string>, RegExp]>([
    ['an origin that is none', { PUBLIC_URL: 'id.example.com' }, /^PUBLIC_URL must be an origin/],
    ['a database of another kind', { DATABASE_URL: 'mysql://x' }, /^DATABASE_URL must be a URL/],
    ['a file of a secret that is gone', { SECRET_KEY: '', SECRET_KEY_FILE: file }, /^SECRET_KEY_FILE cannot/],
    ['a gateway of another kind', { SMTP_URL: 'mail.example' }, /^SMTP_URL must be a URL/],
    [
      'a file of a secret of SMS',
      { SMS_SECRET: '', SMS_SECRET_FILE: file },
      /^SMS_SECRET_FILE cannot be read/,
    ],
    ['a list of hosts', { BACKCHANNEL_HOSTS: '//hub' }, /^BACKCHANNEL_HOSTS must be hosts/],
    ['a mode that is none', { NODE_ENV: 'prod', PORT: '3001' }, /^NODE_ENV must be one of/],
    ['a missing list of keys', { COOKIE_KEYS: '' }, /^COOKIE_KEYS is required in production/],
  ])('%s', (_name, change, fault) => {
    const clients = fileWith([
      {
        client_id: 'hub',
        client_secret: KEY,
        redirect_uris: ['https://hub.example/'],
        backchannel_logout_uri: 'https://hub.internal:8443/logout',
      },
    ]);
    const BACKCHANNEL_HOSTS = 'hub.internal:8443';
    expect(problemsOf({ ...production, CLIENTS_FILE: clients, BACKCHANNEL_HOSTS, ...change })).toEqual([
      expect.stringMatching(fault),
    ]);
  });
});

describe('secrets', () => {
  test.each(['SECRET_KEY', 'DATABASE_URL', 'SMS_SECRET'])(
    '%s and its file are not both set: which of them counts would be a guess',
    (name) => {
      const value = name === 'DATABASE_URL' ? production.DATABASE_URL : KEY;
      const path = fileWith(value);
      expect(problemsOf({ ...production, [name]: value, [`${name}_FILE`]: path })).toEqual([
        `${name} and ${name}_FILE are both set: keep the one that is meant, and unset the other`,
      ]);
    },
  );

  test('the file of an empty variable counts, and an empty file is refused', () => {
    const file = fileWith(`${'f'.repeat(32)}\n`);
    const config = readConfig({ ...base, SECRET_KEY: '', SECRET_KEY_FILE: file });
    expect(config.secretKeys).toEqual(['f'.repeat(32)]);
    const empty = fileWith('');
    expect(problemsOf({ SECRET_KEY: '', SECRET_KEY_FILE: empty })).toEqual([
      `SECRET_KEY_FILE ${empty} is empty`,
    ]);
  });

  test('processes that share a database need both lists of keys set, or neither', () => {
    const DATABASE_URL = 'postgres://db.example/candela';
    expect(problemsOf({ DATABASE_URL, COOKIE_KEYS: '' })).toEqual([
      'COOKIE_KEYS is needed where DATABASE_URL and SECRET_KEY are set: every process needs the same',
    ]);
    expect(problemsOf({ DATABASE_URL, SECRET_KEY: '' })).toEqual([
      'SECRET_KEY is needed where DATABASE_URL and COOKIE_KEYS are set: every process needs the same',
    ]);
    expect(problemsOf({ DATABASE_URL })).toEqual([]);
    expect(problemsOf({ DATABASE_URL, SECRET_KEY: '', COOKIE_KEYS: '' })).toEqual([]);
  });

  test('are created once, in a directory that only its owner can read', () => {
    const dataDir = join(directory, 'fresh', 'data');
    const first = readConfig({ DATA_DIR: dataDir });
    expect(readConfig({ DATA_DIR: dataDir }).secretKeys).toEqual(first.secretKeys);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  test.each(['', '{"secretKey": "kkkk', '{}'])(
    'a damaged file of secrets is reported and kept: %j',
    (content) => {
      const dataDir = mkdtempSync(join(directory, 'damaged-'));
      const file = join(dataDir, 'secrets.json');
      writeFileSync(file, content);
      expect(() => readConfig({ DATA_DIR: dataDir })).toThrow(
        `${file} is empty or damaged: restore it, or delete it if the database is new too`,
      );
    },
  );
});

describe('NODE_ENV', () => {
  test.each(['Production', 'prod', 'staging'])(
    'NODE_ENV=%s is refused, not taken for development',
    (mode) => {
      expect(problemsOf({ NODE_ENV: mode })).toEqual([
        `NODE_ENV must be one of production, development, test, not "${mode}"`,
      ]);
    },
  );

  test.each(['development', 'test', ''])('NODE_ENV=%s is not production', (mode) => {
    expect(readConfig({ ...base, NODE_ENV: mode }).production).toBe(false);
  });

  test.each(['https://id.brand.com', 'https://brand.io', 'https://172.32.0.1', 'https://8.8.8.8'])(
    'people who come to %s are served as in production only',
    (origin) => {
      expect(problemsOf({ PUBLIC_URL: origin })).toEqual([
        `NODE_ENV=production is needed to serve ${origin}, which is not a name for tests`,
      ]);
    },
  );

  test.each([
    'https://localhost:3000',
    'https://id.brand.test',
    'https://id.example.com',
    'https://hub.local',
    'https://hub',
    'https://192.168.1.2',
    'https://172.20.0.1',
    'https://127.0.0.1:8443',
    'https://[::1]',
    'http://id.brand.com',
  ])('%s is for trying out', (origin) => {
    expect(problemsOf({ PUBLIC_URL: origin })).toEqual([]);
  });
});

test('the configuration in the log holds no secret and no URL of a service', () => {
  const secrets = { SECRET_KEY: 's'.repeat(32), COOKIE_KEYS: 'c'.repeat(32), SMS_SECRET: 'm'.repeat(32) };
  const urls = {
    DATABASE_URL: 'postgres://who:word@db.example/candela',
    SMTP_URL: 'smtps://who:word@mail.example',
    SMS_URL: 'https://sms.example/?key=word',
  };
  const config = readConfig({ ...base, ...secrets, ...urls, MAIL_FROM: 'id@example.com' });
  const text = JSON.stringify(describeConfig(config));
  for (const secret of [...Object.values(secrets), 'word', 'db.example', 'sms.example'])
    expect(text).not.toContain(secret);
  expect(describeConfig(config)).toMatchObject({ database: 'PostgreSQL', secretKeys: 1, mail: 'SMTP' });
});

test('statements are prepared unless DATABASE_PREPARED is off', () => {
  expect(readConfig(base).databasePrepared).toBe(true);
  expect(readConfig({ ...base, DATABASE_PREPARED: 'off' }).databasePrepared).toBe(false);
});

test('a start reports the faults of the files together with the faults of the variables', () => {
  const clients = fileWith([{ redirect_uris: ['https://app.example/callback'] }, 7]);
  const brands = fileWith('{');
  const problems = problemsOf({ LOG_LEVEL: 'loud', CLIENTS_FILE: clients, BRANDS_FILE: brands });
  expect(problems).toEqual([
    `BRANDS_FILE ${brands} is not JSON: line 1, column 2: close brace expected`,
    `CLIENTS_FILE ${clients}: [0].client_id is missing`,
    expect.stringContaining(`CLIENTS_FILE ${clients}: [0].client_secret is missing`),
    `CLIENTS_FILE ${clients}: [1] must be of type object`,
    expect.stringContaining('LOG_LEVEL must be one of'),
  ]);
  const nowhere = join(directory, 'nowhere.json');
  expect(problemsOf({ CLIENTS_FILE: nowhere })).toEqual([`CLIENTS_FILE ${nowhere} does not exist`]);
  expect(problemsOf({ CLIENTS_FILE: directory })).toEqual([
    `CLIENTS_FILE ${directory} cannot be read (EISDIR)`,
  ]);
});

test('a fault in JSON is reported by line and column, without the text', () => {
  const placeOf = (content: string) => {
    const file = fileWith(content);
    return problemsOf({ CLIENTS_FILE: file }).map((problem) => problem.replace(`CLIENTS_FILE ${file} `, ''));
  };
  expect(placeOf('[{\n  "client_secret": "moonlight\n}]')).toEqual([
    'is not JSON: line 2, column 20: unexpected end of string',
  ]);
  expect(placeOf('[{ "client_id": "app", }]')).toEqual([
    'is not JSON: line 1, column 24: property name expected',
  ]);
  expect(placeOf('[]\n// apps')).toEqual(['is not JSON: line 2, column 1: invalid comment token']);
  expect(placeOf('')).toEqual(['is not JSON: line 1, column 1: value expected']);
  expect(placeOf('\ufeff[]')).toEqual([]);
});

test('a URL of another scheme than PostgreSQL’s is reported without its password', () => {
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL'])
    for (const value of [
      'db.example',
      'mysql://db.example/candela',
      'postgres://candela:moon#light@db/candela',
    ])
      expect(problemsOf({ [name]: value })).toEqual([
        `${name} must be a URL such as postgres://user:password@host:5432/candela; what is not a letter or digit in a password is percent-encoded`,
      ]);
});

test('a way past a pooler needs the way through it: the server would be on the embedded database', () => {
  expect(problemsOf({ ...base, DATABASE_DIRECT_URL: 'postgres://db/candela' })).toEqual([
    'DATABASE_DIRECT_URL needs DATABASE_URL: it leads past the pooler of that one',
  ]);
});

test('a URL of PostgreSQL may name several hosts, of which one takes writes', () => {
  const DATABASE_URL = 'postgres://me:moonlight@db1,db2:5433/candela';
  expect(readConfig({ ...base, DATABASE_URL, COOKIE_KEYS: 'x'.repeat(40) }).databaseDirectUrl).toBe(
    DATABASE_URL,
  );
  expect(problemsOf({ DATABASE_URL: `${DATABASE_URL}?target_session_attrs=standby` })).toContain(
    'DATABASE_URL takes target_session_attrs any, read-write, primary, not "standby": the server writes to every database that it uses',
  );
});

test('the system that knows old passwords is called by https, or on this machine, and with a secret', () => {
  const asked = (url: string, more = {}) =>
    problemsOf({ ...production, LEGACY_SIGN_IN_URL: url, LEGACY_SIGN_IN_SECRET: KEY, ...more });
  for (const url of ['https://old.example/check', 'http://127.0.0.1:8080/check'])
    expect(asked(url)).toEqual([]);
  expect(asked('http://old.example/')).toEqual([
    'LEGACY_SIGN_IN_URL must be https in production, but for a system on this machine',
  ]);
  expect(asked('ftp://old.example/')).toEqual(['LEGACY_SIGN_IN_URL must be a URL of http:// or https://']);
  expect(asked('https://a:b@old.example/', { LEGACY_SIGN_IN_SECRET: 'short' })).toEqual([
    'LEGACY_SIGN_IN_URL must have no user name and password: requests are signed',
    'LEGACY_SIGN_IN_SECRET needs at least 32 characters, with which questions are signed',
  ]);
});

test('in production the SMS gateway is called by https, or on this machine', () => {
  const smsProblems = (url: string) =>
    problemsOf({ NODE_ENV: 'production', SMS_URL: url }).filter((problem) =>
      problem.includes('must be https'),
    );
  const refusal = 'SMS_URL must be https in production, but for a gateway on this machine';
  for (const url of ['http://sms.example/', 'http://10.0.0.7:8080/', 'http://localhost.example/'])
    expect([url, smsProblems(url)]).toEqual([url, expect.arrayContaining([refusal])]);
  for (const url of ['https://sms.example/', 'http://127.0.0.1:8080/', 'http://[::1]:8080/'])
    expect([url, smsProblems(url)]).toEqual([url, expect.not.arrayContaining([refusal])]);
});

test('the settings that a gateway needs are reported together with a missing or broken gateway', () => {
  const { SMTP_URL: _smtp, MAIL_FROM: _from, SMS_URL: _sms, SMS_SECRET: _secret, ...bare } = production;
  const needs = [
    expect.stringContaining('MAIL_FROM must be one plain address'),
    expect.stringContaining('SMS_SECRET needs at least 32 characters'),
  ];
  expect(problemsOf(bare)).toEqual([
    ...needs,
    expect.stringContaining('SMTP_URL is required'),
    expect.stringContaining('SMS_URL is required'),
  ]);
  expect(problemsOf({ SMTP_URL: 'mail.example', SMS_URL: 'sms.example' })).toEqual([
    'SMTP_URL must be a URL of smtp:// or smtps://',
    'SMS_URL must be a URL of http:// or https://',
    ...needs,
  ]);
});

test('in production every brand is on https', () => {
  const brands = fileWith([{ id: 'aurelia' }, { id: 'fjord', origin: 'http://fjord.example' }]);
  expect(problemsOf({ ...production, BRANDS_FILE: brands })).toEqual([
    'BRANDS_FILE: the origin of "fjord" must be https in production, not http://fjord.example',
  ]);
  expect(problemsOf(production)).toEqual([]);
});

test('in production the embedded database has to be requested, since it may lose acknowledged writes', () => {
  const { DATABASE_URL, ...embedded } = production;
  expect(problemsOf(embedded)).toEqual([
    'DATABASE_URL is required in production: a power cut may lose what the embedded database acknowledged, or all of it; EMBEDDED_DATABASE=accept-loss starts on it nonetheless',
  ]);
  expect(problemsOf({ ...embedded, EMBEDDED_DATABASE: 'accept-loss' })).toEqual([]);
});

test('production shows the API reference only where it is switched on', () => {
  const shows = (env: Record<string, string>) => readConfig({ ...base, ...env }).apiReference;
  expect([shows({}), shows(production), shows({ ...production, API_REFERENCE: 'on' })]).toEqual([
    true,
    false,
    true,
  ]);
});

test('only production waits 3 s before it stops, so that load balancers notice', () => {
  expect(readConfig({ ...base, ...production }).drainNoticeSeconds).toBe(3);
  expect(readConfig(base).drainNoticeSeconds).toBe(0);
  expect(readConfig({ ...base, DRAIN_NOTICE_SECONDS: '20' }).drainNoticeSeconds).toBe(20);
});

test('a brand of the file without a host is reported, and no client can name it', () => {
  const brands = fileWith([{ id: 'fjord' }, { id: 'loch' }, { id: 'aurelia', origin: 'http://a.example' }]);
  const clients = fileWith([
    { client_id: 'app', client_secret: KEY, redirect_uris: ['https://app.example/'], brand: 'loch' },
  ]);
  expect(readConfig({ ...base, BRANDS_FILE: brands }).unservedBrands).toEqual(['loch']);
  expect(problemsOf({ BRANDS_FILE: brands, CLIENTS_FILE: clients })).toEqual([
    `CLIENTS_FILE ${clients}: [0].brand "loch" is not served: served are fjord, aurelia`,
  ]);
  // An example brand without a host is no fault.
  expect(readConfig(base).unservedBrands).toEqual([]);
  // A broken brands file hides which brands are served.
  expect(problemsOf({ BRANDS_FILE: fileWith('{'), CLIENTS_FILE: clients })).toEqual([
    expect.stringContaining('is not JSON'),
  ]);
});

describe('a client that could sign nobody in', () => {
  const good = {
    client_id: 'app',
    client_secret: 'a-secret-of-the-app-for-tests-only',
    redirect_uris: ['https://app.example/callback'],
  };
  const { client_secret: _secret, ...withoutSecret } = good;
  const { redirect_uris: _uris, ...withoutUris } = good;

  test.each([
    [{ ...good, brand: 'nobody' }, '[0].brand "nobody" is not served: served are aurelia'],
    [{ ...good, brand: 'borealis' }, '[0].brand "borealis" is not served: served are aurelia'],
    [{ ...good, client_id: 'candela-portal' }, '[0].client_id "candela-portal" is the server\'s own'],
    [{ ...good, client_id: 'playground' }, '[0].client_id "playground" is the server\'s own'],
    [
      withoutSecret,
      '[0].client_secret is missing: token_endpoint_auth_method is "client_secret_basic"; a public client says "none"',
    ],
    [withoutUris, '[0]: redirect_uris is mandatory property'],
    [
      { ...good, client_id: 'an app' },
      '[0].client_id must be 1 to 200 printable ASCII characters without spaces',
    ],
  ])('%j is refused', (client, problem) => {
    const file = fileWith([client]);
    expect(problemsOf({ CLIENTS_FILE: file })).toEqual([`CLIENTS_FILE ${file}: ${problem}`]);
  });

  test('a duplicate id is refused', () => {
    const file = fileWith([good, good]);
    expect(problemsOf({ CLIENTS_FILE: file })).toEqual([
      `CLIENTS_FILE ${file}: [1].client_id "app" stands there twice`,
    ]);
  });

  test('public clients, ES256, a served brand, and the id of a playground that is off are accepted', () => {
    const file = fileWith([
      { ...withoutSecret, token_endpoint_auth_method: 'none', application_type: 'native' },
      { ...good, client_id: 'es', id_token_signed_response_alg: 'ES256', first_party: true },
      { ...good, client_id: 'playground', brand: 'aurelia' },
    ]);
    const config = readConfig({ ...base, CLIENTS_FILE: file, PLAYGROUND_PORT: '0' }, findClientFault);
    expect(config.clients.map(({ client_id }) => client_id)).toEqual(['app', 'es', 'playground']);
  });
});

describe('the static host', () => {
  test('is an origin, and undefined unless set', () => {
    expect(readConfig(base).assetOrigin).toBeUndefined();
    expect(readConfig({ ...base, ASSET_URL: 'https://static.example.com/' }).assetOrigin).toBe(
      'https://static.example.com',
    );
    for (const value of [
      'static.example.com',
      'https://static.example.com/pages',
      "https://a.example;script-src '*'",
    ]) {
      expect(problemsOf({ ASSET_URL: value })).toEqual([
        expect.stringContaining('ASSET_URL must be an origin'),
      ]);
    }
  });

  test('must be https in production', () => {
    expect(problemsOf({ NODE_ENV: 'production', ASSET_URL: 'http://static.example.com' })).toContain(
      'ASSET_URL must be https in production',
    );
  });
});

test('hosts that the server may call must be spelled as in URLs', () => {
  const { backchannelHosts, logoHosts } = readConfig({
    ...base,
    BACKCHANNEL_HOSTS: 'Hub.Local, hub.local:8443,other.local:443,plain.local:80',
    LOGO_HOSTS: '[::1]:8080',
  });
  expect(backchannelHosts).toEqual(['hub.local', 'hub.local:8443', 'other.local', 'plain.local:80']);
  expect(logoHosts).toEqual(['[::1]:8080']);
  for (const value of ['https://hub.local', 'hub.local/x', 'hub.local:99999', 'me@hub.local', '*.local'])
    expect(problemsOf({ BACKCHANNEL_HOSTS: `fine.local,${value}`, LOGO_HOSTS: value })).toEqual([
      `BACKCHANNEL_HOSTS must be hosts such as hub.internal or hub.internal:8443, not "${value}"`,
      `LOGO_HOSTS must be hosts such as hub.internal or hub.internal:8443, not "${value}"`,
    ]);
});

test('client id metadata documents are nobody’s, anybody’s, or those at hosts', () => {
  const taken = (value?: string) =>
    readConfig({ ...base, ...(value && { CLIENT_DOCUMENTS: value }) }).clientDocuments;
  expect([taken(), taken('off'), taken('any')]).toEqual(['off', 'off', 'any']);
  expect(taken('Assistant.example, hub.local:8443')).toEqual(['assistant.example', 'hub.local:8443']);
  expect(problemsOf({ CLIENT_DOCUMENTS: 'any,hub.local' })).toEqual([
    'CLIENT_DOCUMENTS must be off, any, or hosts: any stands alone',
  ]);
  expect(problemsOf({ CLIENT_DOCUMENTS: 'https://hub.local' })).toEqual([
    'CLIENT_DOCUMENTS must be off, any, or hosts such as hub.internal or hub.internal:8443, not "https://hub.local"',
  ]);
});

test('all workers share DATABASE_POOL, and each gets enough of it', () => {
  const several = { ...base, DATABASE_URL: 'postgres://127.0.0.1/candela', WORKERS: '4' };
  expect(readConfig(several).databasePool).toBe(40);
  expect(poolOfWorker(readConfig({ ...several, DATABASE_POOL: '30' }))).toBe(7);
  expect(problemsOf({ ...several, DATABASE_POOL: '15' })).toEqual([
    'DATABASE_POOL must be 16 or more: all 4 WORKERS share it, and each needs 4',
  ]);
});

test('several workers need a database that several processes can open', () => {
  const DATABASE_URL = 'postgres://127.0.0.1/candela';
  expect(problemsOf({ WORKERS: '2' })).toEqual([
    'WORKERS above 1 needs DATABASE_URL: the embedded database is open to one process',
  ]);
  expect(problemsOf({ WORKERS: '2', DATABASE_URL })).toEqual([]);
  expect(problemsOf({ WORKERS: '0', DATABASE_URL })).toEqual([
    'WORKERS must be a whole number from 1 to 256, not "0"',
  ]);
});

test('protected APIs come from a file; its faults are reported with all other faults', () => {
  const api = { identifier: 'https://api.example/', name: 'API', scopes: [{ name: 'read' }] };
  const file = fileWith([api]);
  expect(readConfig({ ...base, RESOURCES_FILE: file }).resources).toEqual([expect.objectContaining(api)]);
  expect(readConfig(base).resources).toEqual([]);
  const bad = fileWith([{ ...api, brand: 'nobody' }]);
  expect(problemsOf({ RESOURCES_FILE: bad, CODE_MAX_TRIES: '0' })).toEqual([
    expect.stringContaining(`RESOURCES_FILE ${bad}: [0].brand "nobody" is not served`),
    expect.stringContaining('CODE_MAX_TRIES'),
  ]);
});
