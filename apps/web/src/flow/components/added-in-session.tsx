import type { AddedInSession } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import styles from './added-in-session.module.css';
import { Checkbox } from './checkbox.tsx';

interface AddedInSessionProps {
  items: readonly AddedInSession[];
  takeBack: boolean;
  onToggle: () => void;
}

/** The words for one thing that a session added or changed. */
const useNameOf = () => {
  const { t } = useTranslation('activity');
  return ({ kind, name, replaces }: AddedInSession): string => {
    if (kind === 'totp' || kind === 'recovery_codes' || kind === 'provider' || kind === 'provider_removed')
      return t(`added.${kind}`);
    if (kind === 'passkey')
      return name === undefined ? t('added.passkey') : t('added.passkeyNamed', { name });
    if (replaces === undefined) return t(`added.${kind}.added`, { name });
    return name === undefined
      ? t(`added.${kind}.removed`, { replaces })
      : t(`added.${kind}.replaced`, { replaces, name });
  };
};

/** What somebody else’s session added, with a checkbox that takes it back. */
export const AddedInSessionList = ({ items, takeBack, onToggle }: AddedInSessionProps) => {
  const { t } = useTranslation('activity');
  const nameOf = useNameOf();
  return (
    <section className={styles.added} aria-labelledby="added">
      <p id="added">{t('added.lead')}</p>
      <ul className={styles.list}>
        {items.map((item) => (
          <li key={`${item.kind} ${item.at} ${item.name ?? ''}`}>{nameOf(item)}</li>
        ))}
      </ul>
      <Checkbox checked={takeBack} onChange={onToggle}>
        {t('added.takeBack')}
      </Checkbox>
    </section>
  );
};
