import type { ClientErrorCode } from '@candela/contract';

/** What is wrong with one field of a registration. */
export interface RegistrationFault {
  /** The field as the REST API names it: `redirect_uris.0`. Empty: the registration as a whole. */
  field: string;
  code: ClientErrorCode;
  /** The field, and what would be right there: `redirect_uris[0] must not have a fragment`. */
  problem: string;
}

/** @param place the field as a file has it: `redirect_uris[0]`. */
export const faultAt = (place: string, code: ClientErrorCode, text: string): RegistrationFault => ({
  field: place.replaceAll(/\[(\d+)\]/g, '.$1'),
  code,
  problem: `${place} ${text}`,
});

/** The problem as it follows the name of the registration: `clients.json: [0].redirect_uris[0] must ...`. */
export const toProblem = ({ field, problem }: RegistrationFault): string =>
  field === '' ? `: ${problem}` : `.${problem}`;
