import type { ProviderOffered } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useProblemText } from '../../shell/forms/form-errors.ts';
import { readProviderReturn } from './provider-return.ts';
import styles from './providers.module.css';

/** Says why a way through a provider ended without a sign-in. The other ways are on the same screen. */
export const ReturnNotice = ({ providers }: { providers: readonly ProviderOffered[] | undefined }) => {
  const { t } = useTranslation('providers');
  const problemText = useProblemText();
  const returned = readProviderReturn(useSearchParams()[0]);
  if (!returned) return null;
  // Only the brand's own providers give a name: the query is anybody's.
  const name = providers?.find(({ id }) => id === returned.provider)?.name;
  return (
    <div className={styles.notice} role="alert">
      {name !== undefined && <p className={styles.title}>{t('provider.notSignedIn', { name })}</p>}
      <p>{problemText({ code: returned.reason })}</p>
    </div>
  );
};
