import type { Account } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { useProblemText } from '../../../shell/forms/form-errors.ts';
import styles from './account-rows.module.css';
import { focusRow } from './focus-row.ts';
import { SettingRow } from './setting-row.tsx';
import { useAvatarRemoval } from './use-avatar-removal.ts';

/** The row of the picture, with the actions to change and to remove it. */
export const AvatarRow = ({ account, onOpen }: { account: Account; onOpen: () => void }) => {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  const { remove, problem } = useAvatarRemoval();
  const { avatar } = account;
  const change = { label: avatar ? t('settings.change') : t('settings.upload'), onPress: onOpen };
  return (
    <SettingRow
      id="avatar"
      label={t('personal.avatar')}
      actions={
        avatar
          ? [
              change,
              {
                label: t('settings.remove'),
                onPress: () => {
                  focusRow('avatar');
                  void remove(avatar);
                },
              },
            ]
          : [change]
      }
    >
      {avatar ? (
        <img className={styles.picture} src={avatar} alt={t('personal.hasAvatar')} width="40" height="40" />
      ) : (
        <span className={styles.quiet}>{t('personal.noAvatar')}</span>
      )}
      {problem && (
        <p className={styles.problem} role="alert">
          {problemText(problem)}
        </p>
      )}
    </SettingRow>
  );
};
