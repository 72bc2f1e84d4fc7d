import type { Account, Passkey } from '@candela/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { prepareDialog } from '../../../../flow/dialog/dialog.tsx';
import { canUsePasskeys } from '../../../../flow/passkey/passkey-support.ts';
import { useOnHide } from '../../../../shell/kept-pages/on-hide.ts';
import { SettingRow } from '../setting-row.tsx';
import { AddingState } from './adding-state.tsx';
import { RemovePasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx';
import { passkeysQuery } from './queries.ts';
import { UseFacts } from './use-facts.tsx';
import { useAddPasskey } from './use-passkeys.ts';
import styles from './ways-section.module.css';

const PasskeyFacts = ({ passkey }: { passkey: Passkey }) => {
  const { t } = useTranslation('security');
  const { provider, name, synced, createdAt, lastUsedAt, warning, elsewhere } = passkey;
  return (
    <>
      <span className={styles.facts}>
        {provider && provider !== name && <>{provider} · </>}
        {t(synced ? 'ways.synced' : 'ways.bound')}
      </span>
      <UseFacts
        since={createdAt}
        sinceText={(when) => t('ways.added', { when })}
        lastUsedAt={lastUsedAt}
        never={t('ways.neverUsed')}
      />
      {elsewhere && <span className={styles.facts}>{t('ways.elsewhere', { host: elsewhere })}</span>}
      {warning && <span className={styles.warning}>{t('ways.counter')}</span>}
    </>
  );
};

interface PasskeyRowsProps {
  account: Account;
  onAdded: (passkey: Passkey) => void;
}

/** The passkeys of the account, each with its actions, and the row that adds one. */
export const PasskeyRows = ({ account, onAdded }: PasskeyRowsProps) => {
  const { t } = useTranslation('security');
  const { data } = useQuery(passkeysQuery);
  const [open, setOpen] = useState<{ passkey: Passkey; what: 'rename' | 'remove' }>();
  const adding = useAddPasskey(account, onAdded);
  const items = data?.items ?? [];
  const close = () => setOpen(undefined);
  useOnHide(close);
  const show = (passkey: Passkey, what: 'rename' | 'remove') => {
    prepareDialog();
    setOpen({ passkey, what });
  };
  const add = { label: t('ways.add'), onPress: () => void adding.run() };
  return (
    <>
      <SettingRow
        id="passkeys"
        label={t('ways.passkeys')}
        look="long"
        actions={canUsePasskeys() ? [add] : []}
      >
        <span className={styles.about}>
          {t(canUsePasskeys() ? 'ways.passkeysText' : 'ways.passkeysElsewhere')}
        </span>
        <AddingState adding={adding} />
      </SettingRow>
      {items.map((passkey) => (
        <SettingRow
          key={passkey.id}
          id={`passkey-${passkey.id}`}
          label={passkey.name}
          look="thing"
          actions={[
            { label: t('ways.rename'), onPress: () => show(passkey, 'rename') },
            { label: t('settings.remove'), onPress: () => show(passkey, 'remove') },
          ]}
        >
          <PasskeyFacts passkey={passkey} />
        </SettingRow>
      ))}
      {open?.what === 'rename' && (
        <RenamePasskeyDialog account={account} passkey={open.passkey} onClose={close} />
      )}
      {open?.what === 'remove' && (
        <RemovePasskeyDialog account={account} passkey={open.passkey} onClose={close} />
      )}
    </>
  );
};
