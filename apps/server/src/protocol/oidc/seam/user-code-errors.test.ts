import { afterAll, beforeAll, expect, test } from 'vitest';
import { app, startBareEngine } from '../../../../testing/bare-engine.ts';
import { formTokenOf } from './engine-forms.ts';
import { refusalOfUserCode } from './user-code-errors.ts';

let engine: Awaited<ReturnType<typeof startBareEngine>>;
beforeAll(async () => {
  engine = await startBareEngine({
    clients: [{ ...app, grant_types: ['urn:ietf:params:oauth:grant-type:device_code'], response_types: [] }],
    features: {
      deviceFlow: {
        enabled: true,
        userCodeInputSource: async (ctx, _form, _out, error) => {
          ctx.body = error ? String(refusalOfUserCode(error)) : formTokenOf(ctx.oidc.session);
        },
      },
    },
  });
});
afterAll(() => engine.close());

/** Makes a code, and changes its stored payload as the time or another person would. Returns the user code. */
const createCode = async (changes: object): Promise<string> => {
  const answer = await engine.post('/device/auth', { client_id: 'app', client_secret: 'secret' });
  const { user_code: shown } = JSON.parse(answer.text);
  const [, payload = {}] =
    [...engine.stored].find(([, stored]) => stored.userCode === shown.replace('-', '')) ?? [];
  Object.assign(payload, changes);
  return shown;
};

test.each([
  ['blank', {}, { user_code: '' }],
  ['unknown', {}, { user_code: 'no-such-code' }],
  ['expired', { exp: 1 }, {}],
  ['used', { accountId: 'ada' }, {}],
  ['aborted', {}, { abort: 'yes' }],
])('the engine refuses a code that is %s with an error of that name', async (refusal, changes, form) => {
  const code = await createCode(changes);
  const { text: token } = await engine.get('/device');
  expect((await engine.post('/device', { xsrf: token, user_code: code, ...form })).text).toBe(refusal);
});

test('any other error does not refuse a user code', () => {
  expect(refusalOfUserCode(new TypeError('x'))).toBeUndefined();
});
