import type { OtherIdentifier } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../components/checkbox.tsx';
import { Moment } from '../../components/moment.tsx';
import { Phrase } from '../../components/phrase.tsx';
import styles from './other-identifiers.module.css';

const isOther = (value: Partial<OtherIdentifier> | null): value is OtherIdentifier =>
  (value?.kind === 'phone' || value?.kind === 'email') &&
  typeof value.masked === 'string' &&
  typeof value.boundAt === 'string';

/** Reads the other identifiers from a history state. Any earlier release may have written it. */
export const readOthers = (state: unknown): readonly OtherIdentifier[] => {
  const others: unknown = (state as { others?: unknown } | null)?.others;
  return Array.isArray(others) ? others.filter(isOther) : [];
};

interface OtherIdentifiersProps {
  others: readonly OtherIdentifier[];
  dropped: readonly OtherIdentifier['kind'][];
  onToggle: (kind: OtherIdentifier['kind']) => void;
}

/** The other identifiers of the account, with checkboxes that remove foreign identifiers. None is ticked at first. */
export const OtherIdentifiers = ({ others, dropped, onToggle }: OtherIdentifiersProps) => {
  const { t } = useTranslation('account');
  return (
    <section className={styles.others} aria-labelledby="others">
      <h2 id="others">{t('recovery.othersTitle')}</h2>
      <p className={styles.lead}>{t('recovery.othersText')}</p>
      <ul className={styles.list}>
        {others.map(({ kind, masked, boundAt, waits }) => (
          <li key={kind} className={styles.other}>
            <p className={styles.name}>
              <bdi>{masked}</bdi>
            </p>
            <p className={styles.facts}>
              <Phrase text={(when) => t('recovery.added', { when })}>
                <Moment at={boundAt} show="both" />
              </Phrase>
            </p>
            <Checkbox checked={dropped.includes(kind)} onChange={() => onToggle(kind)}>
              {t(`recovery.drop.${kind}`)}
            </Checkbox>
            {waits && dropped.includes(kind) && <p className={styles.facts}>{t('recovery.dropWaits')}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
};
