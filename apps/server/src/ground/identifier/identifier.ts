import { AppError } from '../errors.ts';
import { parseEmail } from './email.ts';
import { parsePhone } from './phone.ts';

export type IdentifierKind = 'phone' | 'email';

/** What a person signs in with. */
export interface Identifier {
  kind: IdentifierKind;
  /**
   * The canonical compare key, and where messages go: whoever proves to read messages there has proven
   * this very key, not merely an address that normalises to it.
   */
  value: string;
  /** As it is shown to its owner. */
  display: string;
}

/**
 * Reads an e-mail address or an international phone number as typed. A phone number without `+` and its country code is
 * refused: a guessed number may be another person's.
 *
 * @throws AppError identifier_blank, identifier_invalid (neither), phone_invalid, email_invalid
 */
export const parseIdentifier = (text: string): Identifier => {
  const typed = text.trim();
  if (typed === '') throw refuse('identifier_blank');
  if (typed.length > 320) throw refuse('identifier_invalid');
  if (typed.startsWith('+')) {
    const phone = parsePhone(typed);
    if (!phone) throw refuse('phone_invalid');
    return { kind: 'phone', value: phone, display: phone };
  }
  if (!typed.normalize('NFKC').includes('@')) throw refuse('identifier_invalid');
  const email = parseEmail(typed);
  if (!email) throw refuse('email_invalid');
  return { kind: 'email', ...email };
};

const refuse = (code: 'identifier_blank' | 'identifier_invalid' | 'phone_invalid' | 'email_invalid') =>
  new AppError(code, { fields: { identifier: code } });
