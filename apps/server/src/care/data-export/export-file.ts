import type { Locale } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { listAccounts } from '../../person/account/account.repository.ts';
import { findAvatar } from '../settings/avatar.repository.ts';
import { type ExportPageOptions, renderExportPage } from './export-page.ts';
import { type PersonDataOptions, readPersonData } from './person-data.ts';

export interface ExportFileOptions extends PersonDataOptions, Pick<ExportPageOptions, 'pageTexts'> {
  now: () => Date;
}

const pictureOf = async (db: Kysely<Database>, name: string | null) => {
  const picture = name === null ? undefined : await findAvatar(db, name);
  if (!picture) return {};
  const ending = picture.content_type === 'image/png' ? 'png' : 'jpg';
  return { [`picture.${ending}`]: new Uint8Array(picture.bytes) };
};

/** A zip with everything about a person: for programs, for people, and their picture. Undefined where there is none. */
export const makeExportFile = async (
  options: ExportFileOptions,
  accountId: string,
  brand: string,
): Promise<{ bytes: Uint8Array; locale: Locale } | undefined> => {
  const { db, now, pageTexts } = options;
  const [record] = await listAccounts(db, [accountId]);
  const data = record && (await readPersonData(options, accountId));
  if (!record || !data) return undefined;
  const { locale } = record.account;
  const at = now();
  // Loaded with the first export, as most starts make none.
  const { strToU8, zipSync } = await import('fflate');
  const files = {
    'account.json': strToU8(`${JSON.stringify({ madeAt: at.toISOString(), ...data }, undefined, 2)}\n`),
    'account.html': strToU8(renderExportPage(data, { locale, brand, at, pageTexts })),
    ...(await pictureOf(db, record.avatar)),
  };
  return { bytes: zipSync(files, { mtime: at }), locale };
};
