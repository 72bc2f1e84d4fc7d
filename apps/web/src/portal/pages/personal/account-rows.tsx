import type { Account } from '@candela/contract';
import { languages } from '@candela/contract/languages';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { displayIdentifier, wholeIdentifier } from '../../../flow/identifier/dial-code.ts';
import { IdentifierText } from '../../../flow/identifier/identifier-text.tsx';
import card from '../../components/card.module.css';
import type { ContactKind } from '../../contact/use-contact.ts';
import styles from './account-rows.module.css';
import { AvatarRow } from './avatar-row.tsx';
import type { Setting } from './setting.ts';
import { SettingRow } from './setting-row.tsx';
import { WaitingChange } from './waiting-change.tsx';

const PasswordState = ({ account }: { account: Account }) => {
  const { t } = useTranslation('account');
  const hasCodes = account.phone !== undefined || account.email !== undefined;
  if (!account.hasPassword) {
    return (
      <span className={styles.quiet}>
        {t(hasCodes ? 'personal.noPassword' : 'personal.noPasswordNorCode')}
      </span>
    );
  }
  if (!account.passwordChangedAt) return t('personal.passwordSet');
  return (
    <Phrase text={(when) => t('personal.passwordChanged', { when })}>
      <Moment at={account.passwordChangedAt} show="both" />
    </Phrase>
  );
};

interface RowsProps {
  account: Account;
  onOpen: (setting: Setting) => void;
}

const ContactRow = ({ account, kind, onOpen }: RowsProps & { kind: ContactKind }) => {
  const { t } = useTranslation('account');
  const bound = account[kind];
  const [before] = useState(bound);
  // Masked, the new number may look like the former number.
  const show = bound === before ? displayIdentifier : wholeIdentifier;
  const change = account.changes?.find((waiting) => waiting.kind === kind);
  const set = { label: bound ? t('settings.change') : t('settings.bind'), onPress: () => onOpen(kind) };
  const unbind = { label: t('settings.unbind'), onPress: () => onOpen(`unbind-${kind}`) };
  return (
    <SettingRow id={kind} label={t(`personal.${kind}`)} actions={bound ? [set, unbind] : [set]}>
      {bound ? (
        <span className={styles.number}>
          <IdentifierText text={show(bound)} />
        </span>
      ) : (
        <span className={styles.quiet}>{t('personal.unbound')}</span>
      )}
      {change && <WaitingChange change={change} />}
    </SettingRow>
  );
};

/** What the account is called and how it is spoken to: picture, nickname, language. */
export const ProfileRows = ({ account, onOpen }: RowsProps) => {
  const { t } = useTranslation('account');
  const change = (setting: Setting) => [{ label: t('settings.change'), onPress: () => onOpen(setting) }];
  return (
    <dl className={card.card}>
      <AvatarRow account={account} onOpen={() => onOpen('avatar')} />
      <SettingRow id="nickname" label={t('personal.nickname')} actions={change('nickname')}>
        {account.nickname}
      </SettingRow>
      <SettingRow id="language" label={t('personal.language')} actions={change('language')}>
        <span lang={account.locale}>{languages[account.locale].name}</span>
      </SettingRow>
    </dl>
  );
};

/** What a person signs in with: phone, e-mail, password. */
export const SignInRows = ({ account, onOpen }: RowsProps) => {
  const { t } = useTranslation('account');
  const label = account.hasPassword ? t('settings.change') : t('settings.set');
  return (
    <dl className={card.card}>
      <ContactRow account={account} kind="phone" onOpen={onOpen} />
      <ContactRow account={account} kind="email" onOpen={onOpen} />
      <SettingRow
        id="password"
        label={t('personal.password')}
        actions={[{ label, onPress: () => onOpen('password') }]}
      >
        <PasswordState account={account} />
      </SettingRow>
    </dl>
  );
};
