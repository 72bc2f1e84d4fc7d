import type { Agreement, Locale } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import { documentIds } from '../../branding/legal/document.ts';
import { currentVersion } from '../../branding/legal/editions.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import { insertAcceptances } from './agreement-acceptance.repository.ts';

export interface AcceptedAgreement {
  id: string;
  version: string;
}

/** The documents to accept at registration, in the brand's versions of today. */
export const listAgreements = (locale: Locale, { legal }: Pick<Brand, 'legal'> = {}): Agreement[] =>
  documentIds.map((id) => ({
    id,
    version: currentVersion(id, legal?.editions),
    required: true,
    // Russian law wants the consent to the processing of personal data apart from any other (152-FZ, article 9).
    separate: locale === 'ru' && id === 'privacy',
  }));

/**
 * The required documents in the versions that were accepted; other documents that were sent are left out.
 * @throws AppError agreements_required when one is missing or accepted in a version that is not today's
 */
export const requireAgreements = (
  accepted: readonly AcceptedAgreement[],
  locale: Locale,
  brand: Pick<Brand, 'legal'> = {},
): AcceptedAgreement[] => {
  const current = listAgreements(locale, brand);
  const given = current.filter(({ id, version }) =>
    accepted.some((one) => one.id === id && one.version === version),
  );
  if (current.some((agreement) => agreement.required && !given.includes(agreement))) {
    throw new AppError('agreements_required', { fields: { agreements: 'agreements_required' } });
  }
  return given.map(({ id, version }) => ({ id, version }));
};

/** Records what an account accepted, in the transaction that creates it. */
export const recordAgreements = async (
  db: Kysely<Database>,
  { accountId, agreements, locale, brand, now }: RecordAgreementsInput,
): Promise<void> =>
  insertAcceptances(
    db,
    agreements.map(({ id, version }) => ({
      account_id: accountId,
      agreement_id: id,
      version,
      locale,
      brand,
      accepted_at: now,
    })),
  );

export interface RecordAgreementsInput {
  accountId: string;
  agreements: readonly AcceptedAgreement[];
  /** The language it was read in. */
  locale: Locale;
  brand: string;
  now: Date;
}
