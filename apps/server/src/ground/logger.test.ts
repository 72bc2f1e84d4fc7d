import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** The lines that a process logs while it runs `script`. */
const logOf = (script: string): string[] => {
  const module = JSON.stringify(new URL('./logger.ts', import.meta.url).href);
  const { stderr } = spawnSync(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { createLogger } from ${module}; const logger = createLogger('trace'); ${script}`,
  ]);
  return stderr.toString().trim().split('\n');
};

test('PL13: secrets and personal data are removed wherever they stand', () => {
  const names = [
    ...[
      'password',
      'code',
      'ticket',
      'refresh_token',
      'client_secret',
      'cookie',
      'set-cookie',
      'authorization',
    ],
    ...['identifier', 'phone', 'email', 'body', 'headers'],
    ...[
      'clientSecret',
      'accessToken',
      'userCode',
      'newPassword',
      'Set-Cookie',
      'idTokenHint',
      'X-Auth-Token',
    ],
  ];
  const lines = logOf(`for (const name of ${JSON.stringify(names)}) {
    const canary = { [name]: 'canary' };
    logger.info({ ...canary, request: canary, outer: { inner: [canary] } }, 'x');
  }`);
  expect(lines).toHaveLength(names.length);
  expect(lines.join('')).not.toContain('canary');
  for (const line of lines) expect(line.match(/\[removed\]/g)).toHaveLength(3);
});

test('PL13: an error shows its kind and place, and no value that the database quotes', () => {
  const [line = ''] = logOf(`
    const error = Object.assign(new Error('invalid input syntax for type uuid: "canary"'), {
      code: '22P02', parameters: ['canary'], detail: 'Key (value)=(canary) already exists.',
    });
    logger.error({ err: error }, 'request failed');`);
  expect(line).not.toContain('canary');
  expect(JSON.parse(line).err).toMatchObject({
    name: 'Error',
    message: 'invalid input syntax for type uuid: "[removed]"',
    reason: '22P02',
    stack: expect.stringContaining('at '),
  });
  const [other = ''] = logOf(`
    logger.error({ err: Object.assign(new Error('relation "device" does not exist'), { code: '42P01' }) });`);
  expect(JSON.parse(other).err.message).toBe('relation "device" does not exist');
});

test('PL13: a value with quotes and line ends is removed whole, and the stack of the error stays', () => {
  const lines = logOf(`
    const error = Object.assign(new Error('invalid input syntax for type json: "a"canary"b\\n    at canary"'), { code: '22P02' });
    logger.error({ err: error }, 'request failed');
    logger.error({ err: error });
    logger.error(error);
    logger.error({ outer: [error] }, 'x');`);
  expect(lines).toHaveLength(4);
  expect(lines.join('')).not.toContain('canary');
  const described = {
    message: 'invalid input syntax for type json: "[removed]"',
    stack: expect.stringMatching(/"\[removed\]"\n +at /),
  };
  const [first, second, third, fourth] = lines.map((line) => JSON.parse(line));
  for (const line of [first, second, third]) expect(line.err).toMatchObject(described);
  expect([first.msg, second.msg]).toEqual(['request failed', described.message]);
  expect(fourth.outer[0]).toMatchObject(described);
});

test('PL13: an error under another key shows no more, and neither do bindings', () => {
  const lines = logOf(`
    const error = Object.assign(new Error('it failed'), { parameters: ['canary'], config: { key: 'canary' } });
    logger.warn({ failure: error, all: [error] }, 'x');
    const child = logger.child({ token: 'canary', place: 'here', failure: error });
    child.warn('x');
    child.child({ clientSecret: 'canary' }).warn({ accessToken: 'canary' }, 'x');
    child.setBindings({ password: 'canary' });
    child.warn('x');`);
  expect(lines).toHaveLength(4);
  expect(lines.join('')).not.toContain('canary');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ failure: { message: 'it failed' } });
  expect(JSON.parse(lines[2] ?? '')).toMatchObject({
    place: 'here',
    token: '[removed]',
    clientSecret: '[removed]',
  });
});

test('PL13: a URL is logged without its secrets', () => {
  const [line = ''] = logOf(`
    const url = 'https://app.example/cb?state=kept&code=canary&scope=kept#access_token=canary&x=kept';
    logger.warn({ url, list: ['see ' + url], err: new Error('cannot reach ' + url), errorCode: 'kept' }, 'x');`);
  expect(line).not.toContain('canary');
  expect(JSON.parse(line)).toMatchObject({
    url: 'https://app.example/cb?state=kept&code=[removed]&scope=kept#access_token=[removed]&x=kept',
    errorCode: 'kept',
  });
});

test('PL13: a line end in a value does not begin a new line', () => {
  const lines = logOf(`logger.warn({ agent: 'x\\r\\n{"event":"forged"}\\u2028y' }, 'one\\ntwo');`);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    agent: 'x\r\n{"event":"forged"}\u2028y',
    msg: 'one\ntwo',
  });
});
