import type { Account } from '@candela/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import card from '../../components/card.module.css';
import { Moment } from '../../components/moment.tsx';
import { Phrase } from '../../components/phrase.tsx';
import { localeNames } from '../../i18n/locale-choice.ts';
import { maskPhone } from '../../identifier/dial-code.ts';
import styles from './account-rows.module.css';

const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={`${card.row} ${styles.row}`}>
    <dt className={styles.label}>{label}</dt>
    <dd className={styles.value}>{children}</dd>
  </div>
);

const Unbound = () => {
  const { t } = useTranslation();
  return <span className={styles.quiet}>{t('personal.unbound')}</span>;
};

const PasswordState = ({ account }: { account: Account }) => {
  const { t } = useTranslation();
  if (!account.hasPassword) return <span className={styles.quiet}>{t('personal.noPassword')}</span>;
  if (!account.passwordChangedAt) return t('personal.passwordSet');
  return (
    <Phrase text={(when) => t('personal.passwordChanged', { when })}>
      <Moment at={account.passwordChangedAt} relative />
    </Phrase>
  );
};

/** What the account holds, a row each. */
export const AccountRows = ({ account }: { account: Account }) => {
  const { t } = useTranslation();
  return (
    <dl className={card.card}>
      <Row label={t('personal.avatar')}>
        {account.avatar ? (
          t('personal.hasAvatar')
        ) : (
          <span className={styles.quiet}>{t('personal.noAvatar')}</span>
        )}
      </Row>
      <Row label={t('personal.nickname')}>{account.nickname}</Row>
      <Row label={t('personal.phone')}>
        {account.phone ? <span className={styles.number}>{maskPhone(account.phone)}</span> : <Unbound />}
      </Row>
      <Row label={t('personal.email')}>{account.email ?? <Unbound />}</Row>
      <Row label={t('personal.password')}>
        <PasswordState account={account} />
      </Row>
      <Row label={t('personal.language')}>
        <span lang={account.locale}>{localeNames[account.locale]}</span>
      </Row>
    </dl>
  );
};
