import { faultAt, type RegistrationFault } from './fault.ts';

/** URIs that pages lead people to, or that the server shows something of. */
export const shownUris = ['client_uri', 'policy_uri', 'tos_uri', 'logo_uri', 'initiate_login_uri'] as const;

/** Why people are not led there; undefined where they can be. */
export const faultOfShownUri = (field: string, uri: string): RegistrationFault | undefined => {
  const url = URL.parse(uri);
  if (!url) return faultAt(field, 'uri_invalid', 'must be an absolute URI');
  if (url.protocol === 'http:') return faultAt(field, 'uri_not_https', 'must be https');
  if (url.protocol !== 'https:')
    return faultAt(field, 'uri_scheme_refused', `has the scheme "${url.protocol}": it must be https`);
  if (url.username !== '' || url.password !== '')
    return faultAt(field, 'uri_has_credentials', 'must not have credentials');
  return undefined;
};
