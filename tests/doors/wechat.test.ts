import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Reply } from './played-provider.ts';
import { type PlayedWechat, startPlayedWechat, type WechatPerson } from './played-wechat.ts';
import { createPlayedWorld, type PlayedWorld } from './played-world.ts';

const app = { appid: 'wx1234567890abcdef', secret: '0123456789abcdef0123456789abcdef' };
const entry = { kind: 'wechat', client_id: app.appid, client_secret: app.secret };

let wechat: PlayedWechat;
let world: PlayedWorld;
beforeAll(async () => {
  world = await createPlayedWorld({
    entries: [
      { ...entry, id: 'wechat', subject: 'unionid' },
      { ...entry, id: 'weixin', subject: 'openid' },
    ],
    play: async (redirectUriOf) => {
      const host = new URL(redirectUriOf('wechat')).host;
      wechat = await startPlayedWechat({ ...app, host });
      return [wechat];
    },
  });
});
afterAll(() => world.close());

let count = 0;
let wei: WechatPerson;
beforeEach(() => {
  wechat.behave();
  count += 1;
  wei = { openid: `o6_open_${count}`, unionid: `o6_union_${count}`, nickname: '灯 light' };
  wechat.person(wei);
});
const go = (id = 'wechat') => world.go(id, wechat.visit);

describe('the documented flow', () => {
  test('leads to the QR code, with the names and the fragment of WeChat', async () => {
    const { to } = await world.leave('wechat');
    expect(to.origin + to.pathname).toBe('https://open.weixin.qq.com/connect/qrconnect');
    expect(Object.fromEntries(to.searchParams)).toEqual({
      appid: app.appid,
      redirect_uri: `${world.origin}/sign-in/wechat/callback`,
      response_type: 'code',
      scope: 'snsapi_login',
      state: expect.stringMatching(/^[\w-]{43}$/),
      lang: 'en',
    });
    expect(to.hash).toBe('#wechat_redirect');
  });

  test('signs in by appid, secret and GET, and tells a nickname alone', async () => {
    const came = await go();
    expect(came.reason).toBeUndefined();
    const waits = await world.whoWaits(came);
    expect(waits).toMatchObject({ state: 'new', emailProven: false, nickname: '灯 light' });
    expect(waits).not.toHaveProperty('email');
    expect(Object.fromEntries(wechat.askedFor('GET /sns/oauth2/access_token').at(-1)?.query ?? [])).toEqual({
      ...app,
      code: expect.any(String),
      grant_type: 'authorization_code',
    });
    await world.agree(came);
    const again = await go();
    expect(again.arrival.url.pathname).toBe('/index');
    expect((await world.accountOf(again.agent)).nickname).toBe('灯 light');
  });

  test('who refuses comes back without a code', async () => {
    wechat.person(undefined);
    expect((await go()).reason).toBe('provider_refused');
  });
});

describe('who it is', () => {
  test('is what the entry says: unionid, or openid', async () => {
    await go('wechat');
    await go('weixin');
    const subjects = await world.waitingSubjects();
    expect(subjects).toContain(wei.unionid);
    expect(subjects).toContain(wei.openid);
  });

  test('IP16: is nobody where unionid is meant and none comes: never the openid in its place', async () => {
    wechat.person({ openid: wei.openid, nickname: wei.nickname });
    const came = await go('wechat');
    expect(came.reason).toBe('provider_failed');
    expect(await world.waitingSubjects()).not.toContain(wei.openid);
    expect((await go('weixin')).reason).toBeUndefined();
  });

  test('is nobody where the profile is that of another openid', async () => {
    wechat.misbehaveAt('GET /sns/userinfo', () => ({ body: { ...wei, openid: 'o6_eve' } }));
    expect((await go()).reason).toBe('provider_failed');
  });
});

const text = (body: unknown): Reply => ({ type: 'text/plain', body: JSON.stringify(body) });

describe('an error, which comes with 200', () => {
  test.each([
    ['invalid code', { errcode: 40029, errmsg: 'invalid code' }, 'provider_failed'],
    ['code been used', { errcode: 40163, errmsg: 'code been used' }, 'provider_failed'],
    ['invalid appsecret', { errcode: 40125, errmsg: 'invalid appsecret' }, 'provider_failed'],
    ['system busy', { errcode: -1, errmsg: 'system error' }, 'provider_unavailable'],
    ['too many calls', { errcode: 45009, errmsg: 'reach max api daily quota limit' }, 'provider_unavailable'],
  ])('%s of the token endpoint', async (_, body, reason) => {
    wechat.misbehaveAt('GET /sns/oauth2/access_token', () => text(body));
    expect((await go()).reason).toBe(reason);
  });

  test('of the profile', async () => {
    wechat.misbehaveAt('GET /sns/userinfo', () => text({ errcode: 40003, errmsg: 'invalid openid' }));
    expect((await go()).reason).toBe('provider_failed');
  });
});

test.each([
  ['500', { status: 500, body: '' }, 'provider_unavailable'],
  ['a page', { type: 'text/html', body: '<h1>维护中</h1>' }, 'provider_unavailable'],
  ['no token', text({ openid: 'o6_open', expires_in: 7_200 }), 'provider_failed'],
  ['a token of another form', text({ access_token: 1, openid: ['o6_open'] }), 'provider_failed'],
])('where the token endpoint answers %s, people read what happened', async (_, reply, reason) => {
  wechat.misbehaveAt('GET /sns/oauth2/access_token', () => reply);
  expect((await go()).reason).toBe(reason);
});
