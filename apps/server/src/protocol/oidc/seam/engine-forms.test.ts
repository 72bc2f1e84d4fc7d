import { afterEach, describe, expect, test } from 'vitest';
import { authorizationRequest, startBareEngine } from '../../../../testing/bare-engine.ts';
import {
  DESCRIPTION_FIELD,
  ERROR_FIELD,
  formTokenOf,
  isSelfSubmitting,
  LOGOUT_FORM,
  leaveUnsaved,
  mapFormToken,
  setFormToken,
} from './engine-forms.ts';

type Engine = Awaited<ReturnType<typeof startBareEngine>>;

let engine: Engine | undefined;
afterEach(() => engine?.close());

const sessionsIn = ({ stored }: Engine) =>
  [...stored].filter(([key]) => key.startsWith('Session ')).map(([, payload]) => payload);

describe('the form that confirms a logout', () => {
  test('has its id, and the token of the stored session', async () => {
    let token: string | undefined;
    engine = await startBareEngine({
      features: {
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: async (ctx, form) => {
            token = formTokenOf(ctx.oidc.session);
            ctx.body = form;
          },
        },
      },
    });
    await engine.signIn('ada');
    const { text } = await engine.get('/session/end');
    expect(text).toContain(`<form id="${LOGOUT_FORM}" method="post"`);
    expect(token).toMatch(/^[0-9a-f]{48}$/);
    expect(text).toContain(`name="xsrf" value="${token}"`);
    const [session = {}] = sessionsIn(engine);
    expect(mapFormToken(session, (stored) => `sealed ${stored}`)).toMatchObject({
      state: { secret: `sealed ${token}` },
    });
  });

  test('can be made outside of the engine, which accepts its token', async () => {
    engine = await startBareEngine({
      features: {
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: async (ctx) => {
            if (ctx.oidc.session) setFormToken(ctx.oidc.session, 'a-token');
            ctx.body = 'a form of our own';
          },
        },
      },
    });
    await engine.signIn('ada');
    await engine.get('/session/end');
    expect((await engine.post('/session/end/confirm', { xsrf: 'another' })).status).toBe(400);
    expect((await engine.post('/session/end/confirm', { xsrf: 'a-token' })).status).toBe(303);
  });
});

test.each([true, false])('a session marked as unsaved (%s) is not stored', async (isLeft) => {
  engine = await startBareEngine({
    features: {
      deviceFlow: {
        enabled: true,
        userCodeInputSource: async (ctx) => {
          if (isLeft && ctx.oidc.session) leaveUnsaved(ctx.oidc.session);
          ctx.body = 'a page';
        },
      },
    },
  });
  expect((await engine.get('/device')).text).toBe('a page');
  expect(sessionsIn(engine)).toHaveLength(isLeft ? 0 : 1);
});

test('a form_post page is recognised by its script, and the error and description are read from its fields', async () => {
  engine = await startBareEngine();
  const request = authorizationRequest({ response_mode: 'form_post', prompt: 'none' });
  const { text } = await engine.get(`/auth?${request}`);
  expect(isSelfSubmitting(text)).toBe(true);
  expect(text.match(ERROR_FIELD)?.[0]).toContain('value="login_required"');
  expect(text.match(DESCRIPTION_FIELD)?.[0]).toContain('End-User authentication is required');
});

test('a page without a form of the engine is not recognised', () => {
  expect([isSelfSubmitting('<form></form>'), isSelfSubmitting({}), isSelfSubmitting(undefined)]).toEqual([
    false,
    false,
    false,
  ]);
  const payload = { accountId: 'ada' };
  expect(mapFormToken(payload, () => 'never')).toBe(payload);
  expect(formTokenOf(undefined)).toBeUndefined();
});
