import type { ClientEntry } from './client-entry.ts';
import { faultAt, type RegistrationFault } from './fault.ts';

/** What a client asks of its authorization requests, and a native approval is none. */
const askedOfRequests = [
  'fapi',
  'require_pushed_authorization_requests',
  'require_signed_request_object',
  'default_max_age',
  'default_acr_values',
] as const;

/** The approval of a native app makes a link, and skips the authorization request with all that is checked there. */
export const findNativeApprovalFaults = (entry: ClientEntry): RegistrationFault[] => {
  if (!entry.native_approval) return [];
  const forbid = (text: string) => faultAt('native_approval', 'value_invalid', `must not be true ${text}`);
  const grantTypes = entry.grant_types ?? ['authorization_code'];
  const missing = ['authorization_code', 'refresh_token'].filter((name) => !grantTypes.includes(name));
  return [
    ...missing.map((name) => forbid(`without the grant type "${name}"`)),
    ...askedOfRequests
      .filter((field) => (entry[field] ?? false) !== false)
      .map((field) => forbid(`with ${field}: there is no authorization request`)),
  ];
};
