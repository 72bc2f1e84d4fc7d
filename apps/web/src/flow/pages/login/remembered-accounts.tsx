import type { RememberedAccount } from '@candela/contract';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shell/api/client.ts';
import { announce } from '../../../shell/components/announcer.tsx';
import { Initial } from '../../../shell/components/initial.tsx';
import { useSubmit } from '../../../shell/forms/use-submit.ts';
import { displayIdentifier } from '../../identifier/dial-code.ts';
import { IdentifierText } from '../../identifier/identifier-text.tsx';
import styles from './remembered-accounts.module.css';

interface RememberedAccountsProps {
  uid: string;
  accounts: readonly RememberedAccount[];
  onPick: (identifier: string) => void;
  onError: Parameters<typeof useSubmit>[1];
}

/** The accounts used in this browser. A press only fills in the identifier. */
export const RememberedAccounts = ({ uid, accounts, onPick, onError }: RememberedAccountsProps) => {
  const { t } = useTranslation();
  const [forgotten, setForgotten] = useState<readonly string[]>([]);
  const list = useRef<HTMLUListElement>(null);
  const shown = accounts.filter(({ id }) => !forgotten.includes(id));

  const forget = useSubmit(async ({ id, identifier }: RememberedAccount) => {
    await call('DELETE /interaction/:uid/accounts/:id', { params: { uid, id } });
    setForgotten([...forgotten, id]);
    announce(t('login.forgotten', { account: displayIdentifier(identifier) }));
    const next = list.current?.querySelector<HTMLElement>(
      `li:not([data-account="${CSS.escape(id)}"]) button`,
    );
    (next ?? document.getElementById('identifier'))?.focus();
  }, onError);

  if (shown.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={t('login.remembered')} ref={list}>
      {shown.map((account) => {
        const name = account.nickname ?? displayIdentifier(account.identifier);
        return (
          <li key={account.id} data-account={account.id} className={styles.chip}>
            <button
              type="button"
              className={styles.pick}
              title={displayIdentifier(account.identifier)}
              onClick={() => onPick(account.identifier)}
            >
              <Initial name={account.nickname ?? account.identifier} picture={account.avatar} size="small" />
              <span className={styles.name}>
                <IdentifierText text={name} />
              </span>
            </button>
            <button
              type="button"
              className={styles.forget}
              aria-label={t('login.forget', { account: name })}
              aria-disabled={forget.busy || undefined}
              onClick={() => forget.run(account)}
            >
              <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
                <path d="m2 2 8 8m0-8-8 8" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
              </svg>
            </button>
          </li>
        );
      })}
    </ul>
  );
};
