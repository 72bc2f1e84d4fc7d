import type { KoaContextWithOIDC } from 'oidc-provider';
import { hashToken } from '../../../ground/opaque-token.ts';

/**
 * Gives the session the `sid` by which the client of the request knows it (OpenID Connect Back-Channel Logout 1.0 section
 * 2.1). It follows from both: of two requests at once each would otherwise tell the app a `sid` of its own, and the end
 * of the session names one. No app knows the uid.
 */
export const nameSession = ({ session, client }: KoaContextWithOIDC['oidc']): void => {
  if (!session || !client || session.sidFor(client.clientId)) return;
  session.sidFor(client.clientId, hashToken(`sid ${session.uid} ${client.clientId}`));
};
