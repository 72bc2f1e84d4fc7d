import type { RememberedAccount } from '@candela/contract';
import type { ReactNode } from 'react';
import { Initial } from '../../shell/components/initial.tsx';
import { displayIdentifier } from '../identifier/dial-code.ts';
import { IdentifierText } from '../identifier/identifier-text.tsx';
import styles from './account-card.module.css';

interface AccountCardProps {
  account: RememberedAccount;
  /** The actions on the account. */
  children?: ReactNode;
}

/** An account by its picture, its name and its masked identifier. */
export const AccountCard = ({ account, children }: AccountCardProps) => {
  const identifier = displayIdentifier(account.identifier);
  return (
    <div className={styles.card}>
      <div className={styles.who}>
        <Initial name={account.nickname ?? account.identifier} picture={account.avatar} />
        <div className={styles.words}>
          <p>{account.nickname ?? <IdentifierText text={identifier} />}</p>
          {account.nickname && (
            <p className={styles.identifier}>
              <IdentifierText text={identifier} />
            </p>
          )}
        </div>
      </div>
      {children && <div className={styles.action}>{children}</div>}
    </div>
  );
};
