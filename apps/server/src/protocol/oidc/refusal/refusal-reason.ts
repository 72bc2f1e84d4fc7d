import type { ClientErrorKind } from '@candela/contract';
import { refusedGrants, unexplainedGrants } from '../error-descriptions.ts';
import { urisFor } from './expected-parameters.ts';
import { toPlain } from './masked-text.ts';
import { describeMismatch } from './nearest-uri.ts';

const WRONG_SECRET = 'the secret is none of those that work for this client';

/**
 * In place of the engine's words.
 * @internal exported for tests
 */
export const reasons: Readonly<Record<string, string>> = {
  'invalid secret provided': WRONG_SECRET,
  'too many wrong secrets from this network': WRONG_SECRET,
  'client_secret must be provided in the Authorization header': 'the secret that was sent is empty',
  'the provided authentication mechanism does not match the registered client authentication method':
    'the client authenticated by another token_endpoint_auth_method than it is registered with',
  'client authentication must only be provided using one mechanism':
    'the client authenticated in two ways at once: send credentials in the header or in the body',
  'jwt expired': 'exp of the JWT has passed',
  'jwt not active yet': 'nbf of the JWT is still to come',
  'jwt issued in the future': 'iat of the JWT is still to come',
  'signature verification failed': 'the signature of the JWT does not verify',
  'no applicable key found in the JSON Web Key Set': 'the client has no key for the alg and kid of the JWT',
  'refresh token already used':
    'the refresh token was used after its successor was: it may be stolen, so all tokens of the link ended',
};

export interface ReasonOptions {
  kind: ClientErrorKind;
  error: string;
  /** The engine's words, the most exact first. */
  texts: readonly string[];
  grantType: string | undefined;
  path: string;
  sent: Readonly<Record<string, string>>;
  metadata: Readonly<Record<string, unknown>>;
}

/**
 * Why a request was refused, for the developers of its client. They learn no more of codes and tokens than their client
 * can: of another client's, and of why a person's link ended, they learn nothing (docs/decisions/041-what-errors-tell.md).
 */
export const reasonFor = (options: ReasonOptions): string => {
  const { kind, error, texts, grantType, path, sent, metadata } = options;
  if (kind === 'expired_secret') return 'the secret was one of this client’s, and has ended';
  if (error === 'server_error') return 'the server failed: the operator finds the reference in the log';
  const known = texts.map((text) => reasons[text] ?? refusedGrants[text]?.text).find(Boolean);
  if (known !== undefined) return known;
  const { name, registered } = urisFor(path, metadata);
  const uri = sent[name];
  if (kind === 'redirect_uri_mismatch' && uri !== undefined) return describeMismatch(name, uri, registered);
  if (error === 'invalid_grant') return unexplainedGrants[String(grantType)] ?? 'the grant is refused';
  // A failed authentication has one description; elsewhere the detail can quote what was sent.
  const text = error === 'invalid_client' ? texts.at(0) : texts.at(-1);
  return toPlain(text ?? error);
};
