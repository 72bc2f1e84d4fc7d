import { faultOfLink } from '@candela/contract/rules/client-uri';
import { faultAt, type RegistrationFault } from './fault.ts';

/** URIs that pages lead people to, or that the server shows something of. */
export const shownUris = ['client_uri', 'policy_uri', 'tos_uri', 'logo_uri', 'initiate_login_uri'] as const;

/** Why people are not led there; undefined where they can be. */
export const faultOfShownUri = (field: string, uri: string): RegistrationFault | undefined => {
  const fault = faultOfLink(uri);
  return fault && faultAt(field, ...fault);
};
