import type { ProviderArrival } from '@candela/contract';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../shell/api/client.ts';
import { boot } from '../../shell/boot.ts';
import prose from '../../shell/components/prose.module.css';
import { gap } from '../../shell/language/format.ts';
import { useLocale } from '../../shell/language/use-locale.ts';
import link from '../../shell/navigation/link.module.css';
import { isPortal } from '../interaction/flow-links.ts';
import type { ReadyInteraction } from '../interaction/interaction-gate.tsx';
import { noteLinking } from '../interaction/linking-note.ts';
import styles from './providers.module.css';
import { useDrop } from './use-drop.ts';
import { WhoCame } from './who-came.tsx';

interface ArrivalLeadProps extends Pick<ReadyInteraction, 'uid' | 'details' | 'renew'> {
  arrival: ProviderArrival;
  onError: (error: ApiError) => void;
}

/** Above the form of the sign-in: who came from a provider has an account, and adds the provider by signing in to it. */
export const ArrivalLead = ({ arrival, details, onError, ...interaction }: ArrivalLeadProps) => {
  const { t } = useTranslation('providers');
  const locale = useLocale();
  const { id, name, arrivedAt } = arrival;
  const dropping = useDrop(interaction, onError);
  const ofPortal = isPortal(details);
  useEffect(() => {
    if (ofPortal) noteLinking({ provider: id, since: arrivedAt });
  }, [ofPortal, id, arrivedAt]);
  return (
    <div className={styles.lead}>
      <WhoCame arrival={arrival} />
      <p className={`${prose.lead} ${prose.linked}`}>
        {t('provider.existingText', { name, brand: boot.brand.name })}
        {gap(locale)}
        <button
          type="button"
          className={link.link}
          aria-disabled={dropping.busy || undefined}
          onClick={() => dropping.run()}
        >
          {t('provider.drop', { name })}
        </button>
      </p>
    </div>
  );
};
