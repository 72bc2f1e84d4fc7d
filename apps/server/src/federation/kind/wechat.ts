import * as oauth from 'oauth4webapi';
import * as z from 'zod/mini';
import { AppError } from '../../ground/errors.ts';
import type { IdentityProvider } from '../identity-provider/identity-provider.ts';
import type { ProviderContext, ProviderKind } from '../identity-provider/provider-kind.ts';
import { NO_CODE, reasonOf } from './credentials-check.ts';
import { speaking } from './openid-failure.ts';
import { readProviderAnswer } from './provider-answer.ts';

const AUTHORIZE = 'https://open.weixin.qq.com/connect/qrconnect';
const API = 'https://api.weixin.qq.com/sns';
const server: oauth.AuthorizationServer = { issuer: 'https://open.weixin.qq.com' };

/** The system is busy, or was asked too often: https://developers.weixin.qq.com/doc/oplatform/Return_codes/Return_code_descriptions_new.html */
const away: readonly number[] = [-1, 45009, 45011];

/** Errors have the status 200. */
const Failure = z.object({ errcode: z.number(), errmsg: z.optional(z.string()) });
const Tokens = z.object({ access_token: z.string(), openid: z.string(), unionid: z.optional(z.string()) });
const UserInfo = z.object({
  openid: z.string(),
  unionid: z.optional(z.string()),
  nickname: z.optional(z.string()),
});

/** Asks; answers a failure beside the body. @throws AppError provider_unavailable, provider_failed */
const ask = async ({ fetch }: ProviderContext, path: string, query: Record<string, string>) => {
  const response = await fetch(`${API}${path}?${new URLSearchParams(query)}`);
  const body = await readProviderAnswer(response, z.record(z.string(), z.unknown()));
  const { data: failure } = z.safeParse(Failure, body);
  return { body, failure: failure?.errcode === 0 ? undefined : failure };
};

/** @throws AppError provider_unavailable, provider_failed */
const get = async <Shape extends z.ZodMiniType>(
  context: ProviderContext,
  path: string,
  query: Record<string, string>,
  shape: Shape,
): Promise<z.infer<Shape>> => {
  const { body, failure } = await ask(context, path, query);
  if (failure) {
    const code = away.includes(failure.errcode) ? 'provider_unavailable' : 'provider_failed';
    throw new AppError(code, { cause: new Error(`answered ${failure.errcode} ${failure.errmsg ?? ''}`) });
  }
  const read = z.safeParse(shape, body);
  if (!read.success) throw new AppError('provider_failed', { cause: read.error });
  return read.data;
};

const grantOf = ({ clientId, clientSecret = '' }: IdentityProvider, code: string) => ({
  appid: clientId,
  secret: clientSecret,
  code,
  grant_type: 'authorization_code',
});

/** What errors say of the entry. */
const faults: Readonly<Record<number, string>> = {
  40001: 'client_secret is wrong',
  40013: 'client_id is wrong',
  40125: 'client_secret is wrong',
};
/** Of a code that nobody was given. */
const INVALID_CODE = 40029;

const judge = ({ errcode, errmsg = '' }: z.infer<typeof Failure>): string[] =>
  errcode === INVALID_CODE ? [] : [`${faults[errcode] ?? 'WeChat does not know us'}: ${errcode} ${errmsg}`];

/**
 * WeChat's login for websites, which is OAuth 2.0 with names and answers of its own:
 * https://developers.weixin.qq.com/doc/oplatform/Website_App/WeChat_Login/Wechat_Login.html
 */
export const wechat: ProviderKind = {
  name: { en: 'WeChat', ru: 'WeChat', 'zh-Hans': '微信', 'zh-Hant': '微信' },
  languages: ['zh-Hans'],
  // The subject is never guessed: of a person who is now known by the one and now by the other it would make two.
  fields: { required: ['clientSecret', 'subject'] },

  authorizationUrl: async ({ provider, redirectUri }, { state, locale }) => {
    const url = new URL(AUTHORIZE);
    url.search = new URLSearchParams({
      appid: provider.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: (provider.scopes ?? ['snsapi_login']).join(','),
      state,
      lang: locale.startsWith('zh') ? 'cn' : 'en',
    }).toString();
    url.hash = 'wechat_redirect';
    return url;
  },

  check: async (context) => {
    try {
      const { failure } = await ask(context, '/oauth2/access_token', grantOf(context.provider, NO_CODE));
      return failure ? judge(failure) : ['the token endpoint takes a code that nobody was given'];
    } catch (error) {
      return [`${API} does not answer as it should: ${reasonOf(error)}`];
    }
  },

  identify: (context, answer) =>
    speaking(async () => {
      const { provider } = context;
      const client: oauth.Client = { client_id: provider.clientId };
      const code = oauth.validateAuthResponse(server, client, answer.parameters, answer.state).get('code');
      // Who refuses comes back without a code, and with nothing else.
      if (!code) throw new AppError('provider_refused');
      const { access_token, openid } = await get(
        context,
        '/oauth2/access_token',
        grantOf(provider, code),
        Tokens,
      );
      const user = await get(context, '/userinfo', { access_token, openid, lang: 'zh_CN' }, UserInfo);
      if (user.openid !== openid)
        throw new AppError('provider_failed', { cause: new Error('the profile is that of somebody else') });
      const subject = provider.subject === 'unionid' ? user.unionid : openid;
      if (!subject)
        throw new AppError('provider_failed', {
          cause: new Error('no unionid came: the app is not bound to an account of the open platform'),
        });
      return { subject, emailProven: false, ...(user.nickname && { name: user.nickname }) };
    }),
};
