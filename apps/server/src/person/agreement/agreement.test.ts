import { locales } from '@candela/contract';
import { describe, expect, test } from 'vitest';
import { listAgreements, requireAgreements } from './agreement.service.ts';

describe.each(locales)('in %s', (locale) => {
  const current = listAgreements(locale);

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
    expect(requireAgreements(accepted, locale)).toEqual(current.map(({ id, version }) => ({ id, version })));
  });

  test('a missing or outdated document is refused', () => {
    const [terms, privacy] = current;
    for (const accepted of [[], [terms], [terms, { ...privacy, version: '1999-01-01' }]]) {
      const given = accepted.map((one) => ({ id: one?.id ?? '', version: one?.version ?? '' }));
      expect(() => requireAgreements(given, locale)).toThrow(
        expect.objectContaining({ code: 'agreements_required' }),
      );
    }
  });
});
