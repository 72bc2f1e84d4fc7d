import { locales } from '@candela/contract';
import { describe, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { createTestIdentity } from '../../../testing/identity.ts';
import { documentIds, type Edition } from '../../branding/legal/document.ts';
import { versionsOf } from '../../branding/legal/editions.ts';
import { type Agreements, createAgreements, loadAgreements } from './agreement.service.ts';

const brand = { id: 'aurelia' };
const [newest, before = ''] = versionsOf('terms');
const HOUR_MS = 3_600_000;

const accepting = (version: string, other = newest) => [
  { id: 'terms', version },
  { id: 'privacy', version: other },
];
const versionsTold = (agreements: Agreements, of: { id: string } = brand) =>
  agreements.list('en', of).map(({ version }) => version);

describe.each(locales)('in %s', (locale) => {
  const agreements = createAgreements({ editions: [], now: () => new Date() });
  const current = agreements.list(locale, brand);

  test('terms and privacy are required; only Russian has a separate checkbox for privacy', () => {
    expect(current.map(({ id, required }) => [id, required])).toEqual([
      ['terms', true],
      ['privacy', true],
    ]);
    const separate = current.filter((agreement) => agreement.separate).map(({ id }) => id);
    expect(separate).toEqual(locale === 'ru' ? ['privacy'] : []);
  });

  test('each accepted document is recorded once, and a document that was not offered is not recorded', () => {
    const accepted = [...current, ...current, { id: 'soul', version: '1' }];
    expect(agreements.require(accepted, brand)).toEqual(current.map(({ id, version }) => ({ id, version })));
  });

  test('a missing or outdated document is refused', () => {
    const [terms, privacy] = current;
    for (const accepted of [[], [terms], [terms, { ...privacy, version: '1999-01-01' }]]) {
      const given = accepted.map((one) => ({ id: one?.id ?? '', version: one?.version ?? '' }));
      expect(() => agreements.require(given, brand)).toThrow(
        expect.objectContaining({ code: 'agreements_required' }),
      );
    }
  });
});

describeOnDatabases('an edition that is new to the database', (connection) => {
  const loadAt = async (hours: number, brands: { id: string }[] = [brand]) => {
    const at = new Date(Date.now() + hours * HOUR_MS);
    return loadAgreements(connection.db, { brands, now: () => at });
  };
  const isTaken = (agreements: Agreements, version: string) => {
    try {
      return agreements.require(accepting(version), brand)[0]?.version === version;
    } catch {
      return false;
    }
  };

  test('is offered at once to a brand that nobody accepted an edition of', async () => {
    expect(versionsTold(await loadAt(0.1, [{ id: 'fjord' }]), { id: 'fjord' })).toEqual([newest, newest]);
  });

  test('is offered an hour later where people accepted another before a release that notes editions', async () => {
    const { db } = connection;
    await createTestIdentity(db).signUp('ada@example.com');
    const next = { version: 'next', effectiveOn: '2027-01-01', texts: {} } as Edition;
    const own = { ...brand, legal: { editions: { terms: [next, { ...next, version: newest }] as const } } };
    expect(versionsTold(await loadAt(0.9, [own]), own)).toEqual([newest, newest]);
    expect(versionsTold(await loadAt(1.1, [own]), own)).toEqual(['next', newest]);
    await db.deleteFrom('agreement_edition').execute();
  });

  test('is offered an hour later where another was offered, which is taken for another hour', async () => {
    const { db } = connection;
    await db
      .insertInto('agreement_edition')
      .values(
        documentIds.map((id) => ({
          brand: brand.id,
          agreement_id: id,
          version: before,
          offered_at: new Date(0),
        })),
      )
      .execute();
    const first = await loadAt(0.1);
    expect(versionsTold(first)).toEqual([before, before]);
    // The process that starts next finds the hour begun.
    const during = await loadAt(0.9);
    expect(versionsTold(during)).toEqual([before, before]);
    expect([newest, before].map((version) => isTaken(during, version))).toEqual([true, true]);
    const after = await loadAt(1.1);
    expect(versionsTold(after)).toEqual([newest, newest]);
    expect([newest, before].map((version) => isTaken(after, version))).toEqual([true, true]);
    const later = await loadAt(2.1);
    expect([newest, before].map((version) => isTaken(later, version))).toEqual([true, false]);
  });
});
