import type { OtherIdentifier, PasskeyToReview, ProviderToReview } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../components/checkbox.tsx';
import { Moment } from '../../components/moment.tsx';
import { Phrase } from '../../components/phrase.tsx';
import styles from './other-ways.module.css';

/** A way to sign in that the recovery can remove. */
interface OtherWay {
  kind: OtherIdentifier['kind'] | 'passkey' | 'provider';
  /** The kind of an identifier; of a passkey or a provider its kind and its id. */
  key: string;
  /** The masked identifier, the person's name of the passkey, or the provider's. */
  name: string;
  addedAt: string;
  waits?: boolean | undefined;
}

const isOther = (value: Partial<OtherIdentifier> | null): value is OtherIdentifier =>
  (value?.kind === 'phone' || value?.kind === 'email') &&
  typeof value.masked === 'string' &&
  typeof value.boundAt === 'string';

const isPasskey = (value: Partial<PasskeyToReview> | null): value is PasskeyToReview =>
  [value?.id, value?.name, value?.createdAt].every((part) => typeof part === 'string');

const isProvider = (value: Partial<ProviderToReview> | null): value is ProviderToReview =>
  [value?.id, value?.name, value?.createdAt].every((part) => typeof part === 'string');

const listOf = <T,>(value: unknown, isOne: (one: Partial<T> | null) => one is T): T[] =>
  Array.isArray(value) ? value.filter(isOne) : [];

/** Reads the other ways to sign in from a history state. Any earlier release may have written it. */
export const readOthers = (state: unknown): readonly OtherWay[] => {
  const { others, passkeys, providers } = (state ?? {}) as Record<string, unknown>;
  return [
    ...listOf(others, isOther).map(({ kind, masked, boundAt, waits }) => ({
      kind,
      key: kind,
      name: masked,
      addedAt: boundAt,
      waits,
    })),
    ...listOf(passkeys, isPasskey).map(({ id, name, createdAt }) => ({
      kind: 'passkey' as const,
      key: `passkey:${id}`,
      name,
      addedAt: createdAt,
    })),
    ...listOf(providers, isProvider).map(({ id, name, email, createdAt }) => ({
      kind: 'provider' as const,
      key: `provider:${id}`,
      name: email ? `${name} · ${email}` : name,
      addedAt: createdAt,
    })),
  ];
};

interface OtherWaysProps {
  others: readonly OtherWay[];
  /** The keys of those that are ticked. */
  dropped: readonly string[];
  onToggle: (key: string) => void;
}

/** The other ways to sign in to the account, with checkboxes that remove foreign ones. None is ticked at first. */
export const OtherWays = ({ others, dropped, onToggle }: OtherWaysProps) => {
  const { t } = useTranslation('account');
  return (
    <section className={styles.others} aria-labelledby="others">
      <h2 id="others">{t('recovery.othersTitle')}</h2>
      <p className={styles.lead}>{t('recovery.othersText')}</p>
      <ul className={styles.list}>
        {others.map(({ kind, key, name, addedAt, waits }) => (
          <li key={key} className={styles.other}>
            <p className={styles.name} id={`other-${key}`}>
              {kind === 'passkey' ? (
                <Phrase text={(shown) => t('recovery.passkey', { name: shown })}>
                  <bdi>{name}</bdi>
                </Phrase>
              ) : (
                <bdi>{name}</bdi>
              )}
            </p>
            <p className={styles.facts}>
              <Phrase text={(when) => t('recovery.added', { when })}>
                <Moment at={addedAt} show="both" />
              </Phrase>
            </p>
            <Checkbox
              checked={dropped.includes(key)}
              describedBy={`other-${key}`}
              onChange={() => onToggle(key)}
            >
              {t(`recovery.drop.${kind}`)}
            </Checkbox>
            {waits && dropped.includes(key) && <p className={styles.facts}>{t('recovery.dropWaits')}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
};
