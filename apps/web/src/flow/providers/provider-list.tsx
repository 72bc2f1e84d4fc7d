import type { ProviderOffered } from '@candela/contract';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../shell/components/button.tsx';
import { ProviderLink } from './provider-link.tsx';
import styles from './providers.module.css';

interface ProviderListProps {
  uid: string;
  providers: readonly ProviderOffered[];
  /** So many are shown at first. */
  few: number;
}

/** The providers in the order of the server: the one used last in this browser first. */
export const ProviderList = ({ uid, providers, few }: ProviderListProps) => {
  const { t } = useTranslation('providers');
  const [all, setAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const showAll = () => {
    setAll(true);
    // The button goes, so the focus moves to the first of what it brought.
    requestAnimationFrame(() => list.current?.querySelectorAll('a')[few]?.focus());
  };
  return (
    <div className={styles.providers}>
      <ul className={styles.list} aria-label={t('provider.list')} ref={list}>
        {providers.slice(0, all ? undefined : few).map((provider) => (
          <li key={provider.id}>
            <ProviderLink uid={uid} provider={provider} />
          </li>
        ))}
      </ul>
      {!all && few < providers.length && (
        <Button look="text" aria-expanded={false} onClick={showAll}>
          {t('provider.more')}
        </Button>
      )}
    </div>
  );
};
