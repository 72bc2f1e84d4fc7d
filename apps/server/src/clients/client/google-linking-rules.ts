import type { ClientEntry } from './client-entry.ts';
import { faultAt, type RegistrationFault } from './fault.ts';
import { googleMetadataNames } from './policy-metadata.ts';

/** RFC 7523 section 2.1. A client has it by `google_client_ids`, and by nothing else. */
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** The characters of an id of Google's clients: `123-abc.apps.googleusercontent.com`. */
const IDS = /^[\w.-]+(?: [\w.-]+)*$/;

/** Google's assertions are taken of the preset that is Google's, and only where it is said whose they are. */
export const findGoogleLinkingFaults = (entry: ClientEntry): RegistrationFault[] => {
  const given = googleMetadataNames.filter((field) => entry[field] !== undefined);
  const { google_client_ids: ids, grant_types: grantTypes } = entry;
  const named = grantTypes?.includes(JWT_BEARER)
    ? [
        faultAt(
          'grant_types',
          'value_invalid',
          `must not have "${JWT_BEARER}": google_client_ids stands for it`,
        ),
      ]
    : [];
  if (entry.preset !== 'google-home')
    return [
      ...named,
      ...given.map((field) => faultAt(field, 'preset_forbids', 'goes with preset google-home')),
    ];
  if (ids === undefined)
    return [
      ...named,
      ...given.map((field) => faultAt(field, 'value_invalid', 'goes with google_client_ids')),
    ];
  if (IDS.test(ids)) return named;
  return [
    ...named,
    faultAt('google_client_ids', 'value_invalid', 'must be ids of clients at Google, separated by spaces'),
  ];
};
