/** An error of RFC 7591 section 3.2.2, of RFC 6750 section 3.1, or of a client that may not (RFC 7592 section 2). */
export type RegistrationError =
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'invalid_token'
  | 'access_denied';

/** Why a request to register a client, or to change such a registration, is refused. The message may be answered. */
export class RegistrationRefusal extends Error {
  override readonly name = 'RegistrationRefusal';
  readonly error: RegistrationError;

  constructor(error: RegistrationError, description: string) {
    super(description);
    this.error = error;
  }
}
