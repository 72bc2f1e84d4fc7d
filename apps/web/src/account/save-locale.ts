import type { Locale } from '@candela/contract';
import { call } from '../api/client.ts';
import { accountQuery, queryClient } from './queries.ts';

let saving = Promise.resolve();

const save = async (locale: Locale): Promise<void> => {
  try {
    const saved = await call('PATCH /api/account', { body: { locale } });
    queryClient.setQueryData(accountQuery.queryKey, (shown) => shown && { ...shown, locale: saved.locale });
  } catch {
    // The page is in the language that was picked all the same; the account’s row says its own.
  }
};

/** Keeps a language with the signed-in account, the one picked last in the end. */
export const saveLocale = (locale: Locale): Promise<void> => {
  saving = saving.then(() => save(locale));
  return saving;
};
