import type { RegistrationFault } from '../client/fault.ts';
import { AppError } from '../errors.ts';

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
  const [first, ...others] = [...new Set(faults.map(({ code }) => code))];
  const fields = Object.fromEntries(faults.flatMap(({ field, code }) => (field ? [[field, code]] : [])));
  throw new AppError(first === undefined || others.length > 0 ? 'client_invalid' : first, {
    ...(Object.keys(fields).length > 0 && { fields }),
    cause: new RefusedRegistration(faults),
  });
};
