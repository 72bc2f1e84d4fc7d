import type { ProviderArrival } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import panel from '../components/panel.module.css';
import { IdentifierText } from '../identifier/identifier-text.tsx';
import { ProviderMark } from './provider-mark.tsx';
import styles from './providers.module.css';

/** Who came from a provider, by what it calls them. */
export const WhoCame = ({ arrival }: { arrival: ProviderArrival }) => {
  const { t } = useTranslation('providers');
  const { kind, name, nickname, email } = arrival;
  return (
    <div className={`${panel.panel} ${styles.who}`}>
      <ProviderMark kind={kind} className={styles.mark} />
      <div className={styles.known}>
        <p>
          <bdi>{nickname ?? t('provider.accountAt', { name })}</bdi>
        </p>
        {email && (
          <p className={styles.fact}>
            <IdentifierText text={email} />
          </p>
        )}
      </div>
    </div>
  );
};
