import type { InteractionDetails } from '@candela/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { boot } from '../../shell/boot.ts';
import { Actions } from '../../shell/components/actions.tsx';
import column from '../../shell/components/column.module.css';
import prose from '../../shell/components/prose.module.css';
import { AccountCard } from '../interaction/account-card.tsx';
import { ClientCard } from '../interaction/client-card.tsx';
import { toPermissions } from '../scopes/permissions.ts';
import styles from './approval-screen.module.css';
import { Linking } from './linking.tsx';
import { PermissionList } from './permission-list.tsx';
import { Unchecked } from './unchecked.tsx';

/** What an approval is about: an app, its scopes and an account. */
type Approvable = Pick<InteractionDetails, 'client' | 'scopes' | 'account'>;

interface PermissionsProps {
  details: Approvable;
  declined: readonly string[];
  onToggle: (keys: readonly string[]) => void;
}

/** The scopes that the app asks for now, and the scopes approved before. */
const Permissions = ({ details: { client, scopes }, declined, onToggle }: PermissionsProps) => {
  const { t } = useTranslation();
  const permissions = toPermissions(scopes);
  const asked = permissions.filter(({ granted }) => !granted);
  const granted = permissions.filter((permission) => permission.granted);
  const app = client.name;
  const asks = t('consent.asks', { app, brand: boot.brand.name });
  return (
    <>
      {asked.length > 0 && (
        <>
          <p>{asks}</p>
          <PermissionList
            label={asks}
            app={app}
            permissions={asked}
            declined={declined}
            onToggle={onToggle}
          />
        </>
      )}
      {granted.length > 0 && (
        <>
          <p className={asked.length > 0 ? prose.lead : undefined}>
            {asked.length > 0 ? t('consent.granted') : asks}
          </p>
          <PermissionList
            label={t('consent.granted')}
            app={app}
            permissions={granted}
            declined={[]}
            onToggle={onToggle}
          />
        </>
      )}
    </>
  );
};

/** The way to end the approval, and links to the app's policies. */
const SmallPrint = ({ client }: Pick<Approvable, 'client'>) => {
  const { t } = useTranslation();
  const policies = [
    client.policyUri && [client.policyUri, t('consent.privacyOf', { app: client.name })],
    client.tosUri && [client.tosUri, t('consent.termsOf', { app: client.name })],
  ].filter((policy) => typeof policy === 'object');
  return (
    <div className={styles.small}>
      <p>{t('consent.removable')}</p>
      {policies.map(([uri, text]) => (
        <p key={uri}>
          <a href={uri} target="_blank" rel="noopener noreferrer">
            {text}
            <span className="visually-hidden"> {t('app.newTab')}</span>
          </a>
        </p>
      ))}
    </div>
  );
};

interface ApprovalScreenProps extends PermissionsProps {
  heading: ReactNode;
  /** Between the app and the permissions. */
  notice?: ReactNode;
  /** Between the permissions and the account. */
  missing?: ReactNode;
  /** The way to another account. */
  change: ReactNode;
  /** The two buttons. */
  answers: ReactNode;
  /** The buttons stay in view, however long the request is. */
  isPinned?: boolean;
}

/** The screen of a request: the app, the scopes, the account and the answers. */
export const ApprovalScreen = (props: ApprovalScreenProps) => {
  const { heading, notice, missing, change, answers, isPinned = false, ...permissions } = props;
  const { client, account } = permissions.details;
  return (
    <div className={column.column}>
      {heading}
      <ClientCard client={client} />
      <Unchecked client={client} />
      <Linking client={client} />
      {notice}
      <Permissions {...permissions} />
      {missing}
      {account && <AccountCard account={account}>{change}</AccountCard>}
      <div className={isPinned ? styles.pinned : undefined}>
        <Actions>{answers}</Actions>
      </div>
      <SmallPrint client={client} />
    </div>
  );
};
