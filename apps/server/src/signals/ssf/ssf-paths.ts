import { POLL, PUSH } from '../../link/stream/stream.ts';
import { endpoints } from '../../protocol/oidc/endpoints.ts';

/** The paths of the framework's endpoints. A poll has one of its own for each stream. */
export const ssfPaths = {
  configuration: '/ssf/streams',
  status: '/ssf/status',
  addSubject: '/ssf/subjects/add',
  removeSubject: '/ssf/subjects/remove',
  verification: '/ssf/verify',
  poll: '/ssf/poll/:id',
} as const;

/** Where the receiver of a stream polls (RFC 8936 section 2.1). */
export const pollUrlOf = (origin: string, streamId: string): string =>
  `${origin}${ssfPaths.poll.replace(':id', streamId)}`;

/** The metadata of the transmitter that a brand is (Shared Signals Framework 1.0 section 7.1). */
export const transmitterMetadata = (origin: string) => ({
  spec_version: '1_0',
  issuer: origin,
  jwks_uri: `${origin}${endpoints.jwks}`,
  delivery_methods_supported: [PUSH, POLL],
  configuration_endpoint: `${origin}${ssfPaths.configuration}`,
  status_endpoint: `${origin}${ssfPaths.status}`,
  add_subject_endpoint: `${origin}${ssfPaths.addSubject}`,
  remove_subject_endpoint: `${origin}${ssfPaths.removeSubject}`,
  verification_endpoint: `${origin}${ssfPaths.verification}`,
  authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }],
  default_subjects: 'ALL',
});
