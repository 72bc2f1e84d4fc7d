import type { Account } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../components/moment.tsx';
import { Phrase } from '../../components/phrase.tsx';
import styles from './account-rows.module.css';
import { SettingRow } from './setting-row.tsx';

const PasswordState = ({ account }: { account: Account }) => {
  const { t } = useTranslation('account');
  if (!account.hasPassword) return <span className={styles.quiet}>{t('personal.noPassword')}</span>;
  if (!account.passwordChangedAt) return t('personal.passwordSet');
  return (
    <Phrase text={(when) => t('personal.passwordChanged', { when })}>
      <Moment at={account.passwordChangedAt} show="both" />
    </Phrase>
  );
};

/** The row of the password. */
export const PasswordRow = ({ account, onOpen }: { account: Account; onOpen: () => void }) => {
  const { t } = useTranslation('account');
  const label = account.hasPassword ? t('settings.change') : t('settings.set');
  return (
    <SettingRow id="password" label={t('personal.password')} actions={[{ label, onPress: onOpen }]}>
      <PasswordState account={account} />
    </SettingRow>
  );
};
