import type { Agreement, Locale } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import { type DocumentId, documentIds } from '../../branding/legal/document.ts';
import { versionsOf } from '../../branding/legal/editions.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import { insertAcceptances } from './agreement-acceptance.repository.ts';
import { type BrandEdition, listEditions, noteEdition } from './agreement-edition.repository.ts';

/**
 * For so long processes of two releases may serve, of which one does not know a new edition: it is offered afterwards.
 * For so long, too, whoever read the edition before may still accept that one.
 */
const OVERLAP_SECONDS = 3_600;

export interface AcceptedAgreement {
  id: string;
  version: string;
}

type BrandOfAgreements = Pick<Brand, 'id' | 'legal'>;

export interface Agreements {
  /** The documents to accept at registration, in the versions that the brand offers now. */
  list(locale: Locale, brand: BrandOfAgreements): Agreement[];
  /**
   * The required documents in the versions that were accepted; other documents that were sent are left out.
   * @throws AppError agreements_required when one is missing, or accepted in a version that is not taken any more
   */
  require(accepted: readonly AcceptedAgreement[], brand: BrandOfAgreements): AcceptedAgreement[];
}

export interface AgreementsOptions {
  /** From when on editions are offered; one that is not there was always offered. */
  editions: readonly (BrandEdition & { offeredAt: Date })[];
  now(): Date;
}

/** Which editions people are asked to accept, and which are taken. @internal exported for tests */
export const createAgreements = ({ editions, now }: AgreementsOptions): Agreements => {
  const offeredAt = (id: DocumentId, version: string, brand: string) =>
    editions
      .find((one) => one.brand === brand && one.agreementId === id && one.version === version)
      ?.offeredAt.getTime() ?? Number.NEGATIVE_INFINITY;

  /** The version that is offered, and all that are taken. */
  const versionsNow = (id: DocumentId, { id: brand, legal }: BrandOfAgreements) => {
    const versions = versionsOf(id, legal?.editions);
    const at = now().getTime();
    const found = versions.findIndex((version) => offeredAt(id, version, brand) <= at);
    const index = found < 0 ? versions.length - 1 : found;
    const offered = versions[index] ?? versions[0];
    const isFresh = at - offeredAt(id, offered, brand) < OVERLAP_SECONDS * 1000;
    return { offered, taken: versions.slice(0, index + (isFresh ? 2 : 1)) };
  };

  return {
    list: (locale, brand) =>
      documentIds.map((id) => ({
        id,
        version: versionsNow(id, brand).offered,
        required: true,
        // Russian law wants the consent to the processing of personal data apart from any other (152-FZ, article 9).
        separate: locale === 'ru' && id === 'privacy',
      })),
    require: (accepted, brand) =>
      documentIds.map((id) => {
        const { taken } = versionsNow(id, brand);
        const version = taken.find((one) =>
          accepted.some((given) => given.id === id && given.version === one),
        );
        if (version !== undefined) return { id, version };
        throw new AppError('agreements_required', { fields: { agreements: 'agreements_required' } });
      }),
  };
};

/** Reads from when on the editions of these brands are offered, and notes those that are new to the database. */
export const loadAgreements = async (
  db: Kysely<Database>,
  { brands, now }: Pick<AgreementsOptions, 'now'> & { brands: readonly BrandOfAgreements[] },
): Promise<Agreements> => {
  for (const { id: brand, legal } of brands)
    for (const agreementId of documentIds) {
      const [version] = versionsOf(agreementId, legal?.editions);
      await noteEdition(db, { brand, agreementId, version }, OVERLAP_SECONDS);
    }
  return createAgreements({ editions: await listEditions(db), now });
};

/** Records what an account accepted, in the transaction that creates it. */
export const recordAgreements = async (
  db: Kysely<Database>,
  { accountId, agreements, locale, brand, clientId, now }: RecordAgreementsInput,
): Promise<void> =>
  insertAcceptances(
    db,
    agreements.map(({ id, version }) => ({
      account_id: accountId,
      agreement_id: id,
      version,
      locale,
      brand,
      client_id: clientId ?? null,
      accepted_at: now,
    })),
  );

export interface RecordAgreementsInput {
  accountId: string;
  agreements: readonly AcceptedAgreement[];
  /** The language it was read in. */
  locale: Locale;
  brand: string;
  /** The client on whose page it was read; left out: on a page of this server. */
  clientId?: string;
  now: Date;
}
