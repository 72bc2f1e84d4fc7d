import { PORTAL_CLIENT_ID } from '@candela/contract/rules/portal-client';
import type { ClientMetadata } from 'oidc-provider';

/** The portal as a client: it signs people in through its own issuer as any app does, and needs a session but no tokens. */
export const portalClient = (origin: string): ClientMetadata => ({
  client_id: PORTAL_CLIENT_ID,
  client_name: 'Candela',
  redirect_uris: [`${origin}/middle`],
  response_types: ['none'],
  grant_types: [],
  token_endpoint_auth_method: 'none',
});
