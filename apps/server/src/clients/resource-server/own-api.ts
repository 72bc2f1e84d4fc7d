import { byLocale } from '@candela/contract';
import type { Brand } from '../../branding/brand/brand.ts';
import { textsOf } from '../../branding/texts/texts.ts';
import type { ResourceServer } from './resource-server.service.ts';

/** The scope of a machine that registers clients. */
export const CLIENTS_SCOPE = 'clients';

/** The scope of a person’s token in the brand's own app, which approves clients for the person. */
export const APPROVALS_SCOPE = 'approvals';

/** Why a token does not open the server's own API (RFC 6750 section 3.1). */
export type TokenRefusal = 'invalid_token' | 'insufficient_scope';

/** The identifier of the server's own API at a brand: the `resource` of a request for its tokens (RFC 8707). */
export const ownApiIdentifier = (origin: string): string => `${origin}/api`;

/** The brand whose API it is. */
export type OwnApiPlace = Pick<Brand, 'id' | 'origin' | 'name'>;

/**
 * The server's own API, which every brand has without registering it. Its tokens are opaque, so that they die with
 * their client or their grant.
 */
export const ownApiOf = ({ id, origin, name }: OwnApiPlace): ResourceServer => ({
  identifier: ownApiIdentifier(origin),
  brand: id,
  name,
  scopes: [
    { name: CLIENTS_SCOPE },
    {
      name: APPROVALS_SCOPE,
      description: byLocale((locale) => textsOf(locale).brands.scopes.approvals),
    },
  ],
  access_token_format: 'opaque',
  access_token_ttl: 3600,
  access_token_signing_alg: 'ES256',
  holders: { [CLIENTS_SCOPE]: 'operators-machine', [APPROVALS_SCOPE]: 'own-app' },
});
