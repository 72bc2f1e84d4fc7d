import { faultAt, type RegistrationFault } from './fault.ts';
import { webHostOf } from './redirect-target.ts';
import { methodOf } from './registration.ts';

type Metadata = Readonly<Record<string, unknown>>;

const isPairwise = ({ subject_type: type }: Metadata) => type === 'pairwise';

/** The redirect URIs at which codes arrive; none of a client that gets none, such as a device. */
const redirectUrisOf = ({ response_types: types, redirect_uris: uris }: Metadata): readonly unknown[] =>
  Array.isArray(uris) && !(Array.isArray(types) && types.length === 0) ? uris : [];

/** The host by which the subjects of a pairwise client are made (OpenID Connect Core section 8.1). */
const sectorOf = (metadata: Metadata): string | undefined => {
  if (!isPairwise(metadata)) return undefined;
  const [first] = redirectUrisOf(metadata);
  return webHostOf(metadata.sector_identifier_uri ?? first ?? metadata.jwks_uri) ?? '';
};

const NO_SECTOR = 'takes a host: give a sector_identifier_uri, or redirect URIs by https';

/**
 * A pairwise client without a host: where none stands behind a private scheme either, no subject can be made for it, and
 * none of its codes could be redeemed.
 * @param before what is stored; absent: nothing. What was taken stays.
 */
export const findMissingSector = (metadata: Metadata, before?: Metadata): RegistrationFault[] =>
  sectorOf(metadata) === '' && (!before || sectorOf(before) !== '')
    ? [faultAt('subject_type', 'value_invalid', `"pairwise" ${NO_SECTOR}`)]
    : [];

const isSecure = (uri: unknown) => typeof uri === 'string' && URL.parse(uri)?.protocol === 'https:';

/**
 * What shows that a sector is the client's own: an address by https that gets its codes, or the keys that sign for it. A
 * sector_identifier_uri is judged by its document. Any app can take an address of the device it runs on.
 */
const isShown = (metadata: Metadata): boolean => {
  if (typeof metadata.sector_identifier_uri === 'string') return true;
  const uris = redirectUrisOf(metadata);
  return uris.length > 0 ? uris.every(isSecure) : methodOf(metadata) === 'private_key_jwt';
};

/**
 * Clients of one sector know a person by the same subject, and an app knows its people by it (section 2). So who is no
 * operator names a sector that is the client's own, and keeps it.
 * @param before what is stored; absent: nothing.
 */
export const findSectorFaults = (
  { metadata }: { metadata: Metadata },
  { before }: { before?: Metadata | undefined },
): RegistrationFault[] => {
  if (before && sectorOf(before) !== sectorOf(metadata)) {
    const named = ['sector_identifier_uri', 'redirect_uris', 'jwks_uri'];
    const moved = named.find((name) => JSON.stringify(before[name]) !== JSON.stringify(metadata[name]));
    const field = isPairwise(before) === isPairwise(metadata) ? (moved ?? 'response_types') : 'subject_type';
    const problem = 'would change the "sub" by which the app knows its people: register another client';
    return [faultAt(field, 'value_invalid', problem)];
  }
  // What is stored was taken, by an operator or a release before.
  if (!isPairwise(metadata) || isShown(metadata) || (before && !isShown(before))) return [];
  return [faultAt('subject_type', 'value_invalid', `"pairwise" ${NO_SECTOR}`)];
};
