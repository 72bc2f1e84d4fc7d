import { AppError } from '../../ground/errors.ts';
import { type Identifier, parseIdentifier } from '../../ground/identifier/identifier.ts';

const parsed = (text: string): Identifier | undefined => {
  try {
    return parseIdentifier(text);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
};

/** Digits, and what people write between them. */
const NUMBER = /^(?:00)?([\d\s()./-]{7,40})$/;

/** What comes along with a contact that is copied: marks of its direction, and the beginning of a link. */
const WRAPPING = /\p{Cf}|^\s*(?:tel|sms|mailto):|^\s*<|>\s*$/giu;

/**
 * A phone number or an e-mail address as a caller says it and an agent types it: a number may begin with `00` in place of
 * the plus sign, or with its country code alone. Undefined for anything else.
 */
export const readTypedIdentifier = (typed: string): Identifier | undefined => {
  const text = typed.normalize('NFKC').replaceAll(WRAPPING, '').trim();
  const number = NUMBER.exec(text)?.[1];
  return parsed(number === undefined ? text : `+${number}`);
};
