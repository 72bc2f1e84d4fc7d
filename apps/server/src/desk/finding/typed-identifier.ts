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

/**
 * A phone number or an e-mail address as a caller says it and an agent types it: a number may begin with `00` in place of
 * the plus sign, or with its country code alone. Undefined for anything else.
 */
export const readTypedIdentifier = (typed: string): Identifier | undefined => {
  const text = typed.normalize('NFKC').trim();
  const number = NUMBER.exec(text)?.[1];
  return parsed(number === undefined ? text : `+${number}`);
};
