import { type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** ASCII digits and the marks people put between them: no letters, extensions or other digits. */
const shape = /^\+[0-9 ()./\u00a0\u2009\u2010-\u2013\u202f-]{5,40}$/;

/** Numbers that cost the called or the caller extra, or reach no person's own telephone. */
const refused: readonly NumberType[] = [
  'PREMIUM_RATE',
  'SHARED_COST',
  'TOLL_FREE',
  'UAN',
  'PAGER',
  'VOICEMAIL',
];

/** A phone number typed with + and its country code, as E.164; undefined when there is no such number. */
export const parsePhone = (typed: string): string | undefined => {
  if (!shape.test(typed)) return undefined;
  const phone = parsePhoneNumberFromString(typed.replaceAll(/[^+0-9]/g, ''), { extract: false });
  if (!phone?.isValid() || phone.ext) return undefined;
  return refused.includes(phone.getType()) ? undefined : phone.number;
};

/** The calling code of a number in E.164, such as `86`: one of about 230, for counting. */
export const callingCodeOf = (phone: string): string =>
  parsePhoneNumberFromString(phone)?.countryCallingCode ?? '';
