import type { Locale } from '@candela/contract';
import { call } from '../../shell/api/client.ts';
import { accountQuery, queryClient } from './queries.ts';

let saving = Promise.resolve();

const save = async (locale: Locale): Promise<void> => {
  try {
    const saved = await call('PATCH /api/account', { body: { locale } });
    queryClient.setQueryData(accountQuery.queryKey, (shown) => shown && { ...shown, locale: saved.locale });
  } catch {
    // The page keeps the picked language; the account’s row shows the saved language.
  }
};

/** Saves a language with the signed-in account. Of several quick choices the last is saved last. */
export const saveLocale = (locale: Locale): Promise<void> => {
  saving = saving.then(() => save(locale));
  return saving;
};
