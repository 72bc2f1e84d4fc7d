import type { ProviderOffered } from '@candela/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { leaveFor } from '../../shell/forms/use-submit.ts';
import { ProviderMark } from './provider-mark.tsx';
import styles from './providers.module.css';

/** Leads to the provider, by a plain redirect of the server. */
export const ProviderLink = ({ uid, provider }: { uid: string; provider: ProviderOffered }) => {
  const { t } = useTranslation('providers');
  const { id, kind, name, last } = provider;
  const [busy, setBusy] = useState(false);
  const address = `/interaction/${encodeURIComponent(uid)}/provider/${encodeURIComponent(id)}`;
  return (
    <a
      className={styles.provider}
      data-kind={kind}
      href={address}
      aria-busy={busy || undefined}
      onClick={(event) => {
        // Another tab that the person asks for, and its own menu, are the browser's.
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        if (busy) return;
        setBusy(true);
        void leaveFor(address).then(() => setBusy(false));
      }}
    >
      <ProviderMark kind={kind} className={styles.mark} />
      <span className={styles.words}>
        {t(`provider.continue.${kind}`, { name })}
        {last && <small className={styles.last}>{t('provider.last')}</small>}
      </span>
    </a>
  );
};
