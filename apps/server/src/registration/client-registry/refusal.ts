import type { RegistrationFault } from '../../clients/client/fault.ts';
import { AppError } from '../../ground/errors.ts';

/** The cause of the AppError that refuses a registration: what is wrong, in words as well. */
export class RefusedRegistration extends Error {
  override readonly name = 'RefusedRegistration';
  readonly faults: readonly RegistrationFault[];

  constructor(faults: readonly RegistrationFault[]) {
    super(faults.map(({ problem }) => problem).join('; '));
    this.faults = faults;
  }
}

/** @throws AppError with the one code of all faults, or client_invalid; its cause is a RefusedRegistration. */
export const refuse = (faults: readonly RegistrationFault[]): never => {
  // What is found last of a field says most.
  const byField = new Map(faults.map(({ field, code }) => [field, code]));
  const [code = 'client_invalid', ...others] = new Set(byField.values());
  const fields = Object.fromEntries([...byField].filter(([field]) => field !== ''));
  throw new AppError(others.length > 0 ? 'client_invalid' : code, {
    ...(Object.keys(fields).length > 0 && { fields }),
    cause: new RefusedRegistration(faults),
  });
};
