import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ownEnvironment } from '../config/own-environment.ts';
import { findMisspelt } from '../config/unknown-settings.ts';
import { commands } from './commands.ts';
import { runCall } from './run-call.ts';

const directory = mkdtempSync(join(tmpdir(), 'candela-config-check-'));
afterAll(() => rmSync(directory, { recursive: true }));
beforeEach(() => {
  for (const name of Object.keys(ownEnvironment())) if (/^[A-Z]/.test(name)) vi.stubEnv(name, undefined);
  vi.stubEnv('DATA_DIR', join(directory, 'data'));
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const run = async (env: Record<string, string>, ...options: string[]) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const said = { out: '', error: '' };
  const status = await runCall(
    {
      argv: ['config', 'check', ...options],
      pathOf: (file) => file,
      signal: new AbortController().signal,
      isTerminal: false,
      writeOut: (text) => {
        said.out += text;
      },
      writeError: (text) => {
        said.error += text;
      },
    },
    commands,
    () => Promise.reject(new Error('no database is opened')),
  );
  return { status, ...said };
};
const read = async (env: Record<string, string>, ...options: string[]) => {
  const { out, ...rest } = await run(env, '--json', ...options);
  return { ...rest, out, value: JSON.parse(out) };
};

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://id.lights.example',
  DATABASE_URL:
    'postgres://candela:pass-word-1@db.lights.example:6432/candela?sslmode=require&password=other',
  SECRET_KEY: `${'n'.repeat(32)},${'o'.repeat(32)}`,
  COOKIE_KEYS: 'c'.repeat(32),
  SMTP_URL: 'smtps://mailer:pass-word-2@mail.lights.invalid',
  MAIL_FROM: 'account@lights.example',
  SMS_URL: 'https://sms.lights.invalid/hooks/pass-word-3',
  TRUST_PROXY: '1',
};

test('PL13: shows each setting with its source, and no secret of any', async () => {
  const file = join(directory, 'sms-secret');
  writeFileSync(file, `${'s'.repeat(40)}\n`);
  const { value, out, status, error } = await read({ ...production, SMS_SECRET_FILE: file });
  expect(error).toBe('');
  const shown = Object.fromEntries(
    value.settings.map(({ name, value: text, from }: Record<string, string>) => [name, [text, from]]),
  );
  expect(shown).toMatchObject({
    PORT: ['3000', 'default'],
    HOST: ['127.0.0.1', 'default'],
    PUBLIC_URL: ['https://id.lights.example', 'environment'],
    DATABASE_URL: ['postgres://candela@db.lights.example:6432/candela', 'environment'],
    SECRET_KEY: ['set, 2 keys', 'environment'],
    COOKIE_KEYS: ['set, 1 key', 'environment'],
    SMTP_URL: ['smtps://mail.lights.invalid', 'environment'],
    SMS_URL: ['https://sms.lights.invalid', 'environment'],
    SMS_SECRET: ['set', 'file'],
    CLIENTS_FILE: ['none', 'default'],
    CODE_GLOBAL_PER_MINUTE: ['1000 SMS, 30000 codes', 'default'],
    CODE_GLOBAL_PER_DAY: ['50000 SMS, 5000000 codes', 'default'],
    UNKNOWN_ACCOUNT: ['after-code', 'default'],
  });
  expect(out).not.toMatch(/pass-word|nnnn|oooo|cccc|ssss|password=/);
  expect(status).toBe(0);
  const text = await run({});
  expect(text.out).toContain('a start would not be refused');
  expect(text.out).not.toMatch(/pass-word|nnnn|oooo|cccc|ssss/);
});

test('names all that is wrong at once, and makes nothing', async () => {
  const { value, status, error } = await read({ NODE_ENV: 'production', PORT: 'x', PUBLIC_URL: 'id' });
  expect(status).toBe(1);
  for (const name of [
    'PORT',
    'PUBLIC_URL',
    'SECRET_KEY',
    'COOKIE_KEYS',
    'SMTP_URL',
    'SMS_URL',
    'DATABASE_URL',
  ]) {
    expect(
      value.problems.some((problem: string) => problem.startsWith(name)),
      name,
    ).toBe(true);
    expect(error).toContain(`wrong: ${name}`);
  }
  expect(readdirSync(directory)).not.toContain('data');
});

test('points out variables that look like settings, with the nearest, and no others', async () => {
  const { value, status } = await read({
    PUBLIC_ULR: 'https://id.lights.example',
    CODE_TTL: '60',
    database_url: 'postgres://elsewhere/candela',
    SECRET_KEYS_FILE: '/run/secrets/key',
    PATH: '/bin',
    HOME: '/root',
    HOSTNAME: 'box',
    MAIL: '/var/mail',
  });
  expect(value.warnings).toEqual([
    'PUBLIC_ULR is no setting: PUBLIC_URL may be meant',
    'CODE_TTL is no setting: CODE_TTL_SECONDS may be meant',
    'database_url is no setting: DATABASE_URL may be meant',
    'SECRET_KEYS_FILE is no setting: SECRET_KEY_FILE may be meant',
  ]);
  expect(status).toBe(0);
});

test('a name that is far from every setting is somebody else’s', () => {
  const known = ['PORT', 'HOST', 'LOG_LEVEL', 'DATA_DIR', 'CODE_TTL_SECONDS'];
  const others = ['PATH', 'HOME', 'LOGNAME', 'SHELL', 'USER', 'PWD', 'TERM', 'CODE', 'POST', 'LANG'];
  expect(findMisspelt(others, known).map(({ name }) => name)).toEqual(['POST']);
});

test('--online says what does not answer', async () => {
  const { value, status } = await read(
    { ...production, SMS_SECRET: 's'.repeat(40), DATABASE_URL: 'postgres://u:pass-word-4@127.0.0.1:1/none' },
    '--online',
  );
  expect(status).toBe(1);
  expect(value.problems).toEqual([
    expect.stringContaining('DATABASE_URL postgres://u@127.0.0.1:1/none: the database cannot be reached'),
  ]);
  expect(value.warnings).toEqual([
    expect.stringMatching(/^SMTP_URL: the name mail\.lights\.invalid does not resolve/),
    expect.stringMatching(/^SMS_URL: the name sms\.lights\.invalid does not resolve/),
  ]);
});
