import { openidKind } from './openid-kind.ts';

/** Any issuer with discovery. It is the authority for the domains that the entry names, and no others. */
export const oidc = openidKind({
  name: undefined,
  fields: { required: ['issuer'], optional: ['clientSecret', 'privateKey', 'keyId', 'emailDomains'] },
  issuerOf: ({ issuer = '' }) => issuer,
  scopes: ['openid', 'email', 'profile'],
  signsInAnew: true,
  isAuthority: ({ email, email_verified: isVerified }, { emailDomains = [] }) =>
    isVerified === true && emailDomains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase()),
});
