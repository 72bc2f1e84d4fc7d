import { ClientSecretPost } from 'openid-client';
import { isGoogleAuthority } from './google-authority.ts';
import { hearGoogle } from './google-events.ts';
import { openidKind } from './openid-kind.ts';

/** Google: https://developers.google.com/identity/openid-connect/openid-connect */
export const google = openidKind({
  name: 'Google',
  fields: { required: ['clientSecret'] },
  issuerOf: () => 'https://accounts.google.com',
  scopes: ['openid', 'email', 'profile'],
  parameters: ({ anew }): Record<string, string> => (anew ? { prompt: 'select_account' } : {}),
  signsInAnew: false,
  // As its pages have it. In a header the dots of a client id would be encoded (RFC 6749 section 2.3.1).
  authenticate: async ({ clientSecret = '' }) => ClientSecretPost(clientSecret),
  isAuthority: isGoogleAuthority,
  hear: hearGoogle,
});
