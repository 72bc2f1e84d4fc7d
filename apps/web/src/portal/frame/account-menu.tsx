import type { Account } from '@candela/contract';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Initial } from '../../shell/components/initial.tsx';
import { useProblemText } from '../../shell/forms/form-errors.ts';
import { Link } from '../../shell/navigation/link.tsx';
import { useSignOut } from '../account/use-sign-out.ts';
import styles from './account-menu.module.css';

/** The picture of the account, which opens a menu: to the settings, and out of the session. The browser closes it. */
export const AccountMenu = ({ account }: { account: Account }) => {
  const { t } = useTranslation('account');
  const id = useId();
  const problemText = useProblemText();
  const { problem, busy, run } = useSignOut();
  const close = () => document.getElementById(id)?.hidePopover();
  return (
    <>
      <button type="button" className={styles.open} popoverTarget={id}>
        <Initial name={account.nickname} picture={account.avatar} />
        <span className="visually-hidden">{t('personal.menu')}</span>
      </button>
      <div id={id} popover="auto" className={styles.menu}>
        <p className={styles.name}>{account.nickname}</p>
        <Link className={styles.item} to="/index" onClick={close}>
          {t('personal.title')}
        </Link>
        <button
          type="button"
          className={styles.item}
          aria-disabled={busy || undefined}
          onClick={() => void run(false)}
        >
          {t('personal.signOut')}
        </button>
        {problem && (
          <p className={styles.problem} role="alert">
            {problemText(problem)}
          </p>
        )}
      </div>
    </>
  );
};
