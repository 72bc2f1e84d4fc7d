import { importPKCS8, SignJWT } from 'jose';
import { ClientSecretPost, tokenRevocation } from 'openid-client';
import * as z from 'zod/mini';
import type { IdentityProvider } from '../identity-provider/identity-provider.ts';
import { hearApple } from './apple-events.ts';
import { speaking } from './openid-failure.ts';
import { openidKind } from './openid-kind.ts';
import { openidServerOf } from './openid-server.ts';

const ISSUER = 'https://appleid.apple.com';

/** Apple takes up to six months. Each request has a secret of its own, so that none has to be renewed. */
const SECRET_LIFETIME = '5m';

/** https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret */
const createClientSecret = async ({
  clientId,
  teamId = '',
  keyId = '',
  privateKey = '',
}: IdentityProvider): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setIssuedAt()
    .setExpirationTime(SECRET_LIFETIME)
    .setAudience(ISSUER)
    .setSubject(clientId)
    .sign(await importPKCS8(privateKey, 'ES256'));

const authenticate = async (provider: IdentityProvider) =>
  ClientSecretPost(await createClientSecret(provider));

const User = z.object({
  name: z.object({ firstName: z.optional(z.string()), lastName: z.optional(z.string()) }),
});

/** The name comes with the first consent alone, in the form and unsigned: it is a suggestion, and nothing is known by it. */
const nameOf = (user: string | null): string | undefined => {
  try {
    const { firstName, lastName } = User.parse(JSON.parse(user ?? '')).name;
    return [firstName, lastName].filter(Boolean).join(' ') || undefined;
  } catch {
    return undefined;
  }
};

/** Apple writes booleans as strings, too. */
const isTrue = (value: unknown): boolean => value === true || value === 'true';

/** Sign in with Apple: https://developer.apple.com/documentation/signinwithapplerestapi */
export const apple = openidKind({
  name: 'Apple',
  fields: { required: ['teamId', 'keyId', 'privateKey'] },
  issuerOf: () => ISSUER,
  scopes: ['openid', 'name', 'email'],
  // Apple insists on it where a name or an e-mail address is asked for.
  parameters: () => ({ response_mode: 'form_post' }),
  signsInAnew: false,
  authenticate,
  // Addresses of its relay included: mail to them reaches the person.
  isAuthority: ({ email_verified: isVerified }) => isTrue(isVerified),
  nameOf: (_, { parameters }) => nameOf(parameters.get('user')),

  hear: hearApple(ISSUER),

  revoke: (context, refreshToken) =>
    speaking(async () => {
      const { configuration } = await openidServerOf(context, ISSUER, { authenticate });
      await tokenRevocation(configuration, refreshToken, { token_type_hint: 'refresh_token' });
    }),
});
