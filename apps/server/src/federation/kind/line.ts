import { ClientSecretPost } from 'openid-client';
import { openidKind } from './openid-kind.ts';

/** LINE Login: https://developers.line.biz/en/docs/line-login/integrate-line-login/ */
export const line = openidKind({
  name: 'LINE',
  languages: ['zh-Hant'],
  fields: { required: ['clientSecret'] },
  issuerOf: () => 'https://access.line.me',
  scopes: ['openid', 'profile', 'email'],
  signsInAnew: false,
  parameters: ({ anew }): Record<string, string> => (anew ? { prompt: 'login' } : {}),
  authenticate: async ({ clientSecret = '' }) => ClientSecretPost(clientSecret),
  // Discovery names ES256, with which LINE signs for native apps alone.
  signsBySecret: true,
  isAuthority: () => false,
});
