import type { RegistrationFault } from '../../clients/client/fault.ts';
import { AppError } from '../../ground/errors.ts';
import { RefusedRegistration } from '../client-registry/refusal.ts';

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

const MAX_DESCRIPTION = 2_000;

/** What is wrong, field by field; a text of the client may stand in it, and be long. */
const describe = (faults: readonly RegistrationFault[]): string => {
  const text = faults.map(({ problem }) => problem).join('; ');
  return text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION)} ...` : text;
};

/** The error of RFC 7591 section 3.2.2 for faults of metadata. */
export const toRefusal = (faults: readonly RegistrationFault[]) =>
  new RegistrationRefusal(
    faults.some(({ field }) => field.startsWith('redirect_uris'))
      ? 'invalid_redirect_uri'
      : 'invalid_client_metadata',
    describe(faults),
  );

/** RFC 7592 section 2.1. */
export const disabledClient = () =>
  new RegistrationRefusal('access_denied', 'an operator disabled the client');

/** Turns the registry's refusals into those of the protocol. */
export const refusing = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.cause instanceof RefusedRegistration)
      throw toRefusal(error.cause.faults);
    if (error instanceof AppError && error.code === 'disabled_by_operator') throw disabledClient();
    throw error;
  }
};
