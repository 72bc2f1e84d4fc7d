import { randomBytes } from 'node:crypto';
import {
  createCodes,
  type Reply,
  type Returned,
  redirectTo,
  startPlayedProvider,
} from './played-provider.ts';

export interface WechatPerson {
  openid: string;
  /** Only where the app is bound to an account of the open platform. */
  unionid?: string;
  nickname: string;
}

export interface WechatApp {
  appid: string;
  secret: string;
  /** The authorization callback domain. */
  host: string;
}

/** WeChat answers JSON as text, and errors with 200. */
const say = (body: unknown): Reply => ({ type: 'text/plain', body: JSON.stringify(body) });
const refuse = (errcode: number, errmsg: string): Reply => say({ errcode, errmsg });

const notShown: Reply = { status: 403, type: 'text/html', body: '<p>该链接无法访问</p>' };

export type PlayedWechat = Awaited<ReturnType<typeof startPlayedWechat>>;

/**
 * WeChat login of a website, as its guide documents it, read in November 2026:
 * https://developers.weixin.qq.com/doc/oplatform/Website_App/WeChat_Login/Wechat_Login.html and
 * https://developers.weixin.qq.com/doc/oplatform/Website_App/WeChat_Login/Authorized_Interface_Calling_UnionID.html
 */
export const startPlayedWechat = async (app: WechatApp) => {
  const codes = createCodes<WechatPerson>();
  const accessTokens = new Map<string, WechatPerson>();
  let person: WechatPerson | undefined;

  const played = await startPlayedProvider(['open.weixin.qq.com', 'api.weixin.qq.com'], {
    'GET /connect/qrconnect': ({ query }) => {
      const redirectUri = query.get('redirect_uri') ?? '';
      const isAllowed = query.get('appid') === app.appid && URL.parse(redirectUri)?.host === app.host;
      if (!isAllowed || query.get('scope') !== 'snsapi_login' || query.get('response_type') !== 'code')
        return notShown;
      const state = query.get('state') ?? undefined;
      // Who refuses comes back without a code, and with nothing that says so.
      return redirectTo(redirectUri, { code: person && codes.give(query, person), state });
    },

    'GET /sns/oauth2/access_token': ({ query }) => {
      if (query.get('appid') !== app.appid) return refuse(40013, 'invalid appid');
      if (query.get('secret') !== app.secret) return refuse(40125, 'invalid appsecret');
      if (query.get('grant_type') !== 'authorization_code') return refuse(40002, 'invalid grant_type');
      const spent = codes.spend(query.get('code'));
      if (!spent) return refuse(40029, 'invalid code');
      const { openid, unionid } = spent.granted;
      const accessToken = randomBytes(16).toString('hex');
      accessTokens.set(accessToken, spent.granted);
      return say({
        access_token: accessToken,
        expires_in: 7_200,
        refresh_token: randomBytes(16).toString('hex'),
        openid,
        scope: 'snsapi_login',
        unionid,
      });
    },

    'GET /sns/userinfo': ({ query }) => {
      const found = accessTokens.get(query.get('access_token') ?? '');
      if (!found) return refuse(40001, 'invalid credential, access_token is invalid or not latest');
      if (found.openid !== query.get('openid')) return refuse(40003, 'invalid openid');
      return say({
        ...found,
        sex: 0,
        province: '',
        city: '',
        country: '',
        headimgurl: '',
        privilege: [],
      });
    },
  });

  return {
    ...played,
    /** Who scans the QR code; nobody refuses. */
    person: (next: WechatPerson | undefined) => {
      person = next;
    },
    /** A browser brings the fragment, without which WeChat shows nothing. */
    visit: (authorization: URL): Promise<Returned> => {
      if (authorization.hash !== '#wechat_redirect') throw new Error('WeChat needs #wechat_redirect');
      return played.visit(authorization);
    },
  };
};
