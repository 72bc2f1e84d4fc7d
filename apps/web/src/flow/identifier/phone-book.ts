import type { CountryCode } from 'libphonenumber-js/min';
import { bring } from '../../shell/bring.ts';

/** The full metadata of the world’s phone numbers. */
export interface PhoneBook {
  countries: readonly { country: string; dial: string }[];
  /** The E.164 form and the country of a number written in `country` or with a leading +; undefined when invalid. */
  parse: (text: string, country: string) => { number: string; country: string; national: string } | undefined;
}

const open = async (): Promise<PhoneBook> => {
  const { getCountries, getCountryCallingCode, parsePhoneNumberFromString } = await bring(
    () => import('libphonenumber-js/min'),
  );
  return {
    countries: getCountries().map((country) => ({ country, dial: getCountryCallingCode(country) })),
    parse: (text, country) => {
      const phone = parsePhoneNumberFromString(text.normalize('NFKC'), country as CountryCode);
      if (!phone?.isPossible()) return undefined;
      return {
        number: phone.number,
        country: phone.country ?? country,
        national: phone.formatNational(),
      };
    },
  };
};

let opening: Promise<PhoneBook> | undefined;

/** Loads the metadata once. It is as large as the rest of the page, so it loads only for a phone. */
export const openPhoneBook = (): Promise<PhoneBook> => {
  opening ??= open().catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
};
