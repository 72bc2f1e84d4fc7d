import type { DeskAccount, DeskContact } from '@candela/contract';
import { languages } from '@candela/contract/languages';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../flow/components/copy-button.tsx';
import { Moment } from '../../../flow/components/moment.tsx';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { prepareDialog } from '../../../flow/dialog/dialog.tsx';
import { wholeIdentifier } from '../../../flow/identifier/dial-code.ts';
import { IdentifierText } from '../../../flow/identifier/identifier-text.tsx';
import { Button } from '../../../shell/components/button.tsx';
import { PageHeading } from '../../../shell/components/page-heading.tsx';
import { Link } from '../../../shell/navigation/link.tsx';
import { useStore } from '../../../shell/store.ts';
import { lookup } from '../../frame/lookup.ts';
import { useMay } from '../../staff.ts';
import styles from './account-header.module.css';
import { RevealDialog } from './reveal-dialog.tsx';

const Contact = ({ contact }: { contact: DeskContact }) => {
  const { t } = useTranslation('desk');
  const { identifier, masked, boundSince } = contact;
  return (
    <li className={styles.contact}>
      <span className={styles.value} data-shown={identifier ? '' : undefined}>
        <IdentifierText text={identifier ? wholeIdentifier(identifier) : masked} />
      </span>
      <span className={styles.quiet}>
        <Phrase text={(when) => t('desk.account.boundSince', { when })}>
          <Moment at={boundSince} show="date" />
        </Phrase>
      </span>
    </li>
  );
};

interface AccountHeaderProps {
  account: DeskAccount;
  onRefresh: () => void;
}

/** Whose account it is: its name, its contacts masked, and how it was found. */
export const AccountHeader = ({ account, onRefresh }: AccountHeaderProps) => {
  const { t } = useTranslation('desk');
  const may = useMay();
  const sought = useStore(lookup);
  const [revealing, setRevealing] = useState(false);
  const { id, nickname, contacts, createdAt, locale } = account;
  const foundHere = sought?.found?.some((item) => item.id === id);
  const isHidden = contacts.some(({ identifier }) => !identifier);
  return (
    <div className={styles.header}>
      <div className={styles.who}>
        <PageHeading title={t('desk.account.title', { name: nickname })} className={styles.name}>
          {nickname}
        </PageHeading>
        <p className={styles.quiet}>
          <code translate="no">{id}</code>
          <CopyButton text={id} />
        </p>
      </div>
      <div className={styles.contacts}>
        <ul>
          {contacts.map((contact) => (
            <Contact key={contact.kind} contact={contact} />
          ))}
        </ul>
        {contacts.length === 0 && <p className={styles.quiet}>{t('desk.account.noContacts')}</p>}
        {foundHere && (
          <p className={styles.quiet}>{t('desk.account.foundBy', { text: sought?.text ?? '' })}</p>
        )}
      </div>
      <div className={styles.facts}>
        <p>
          <Phrase text={(when) => t('desk.account.registered', { when })}>
            <Moment at={createdAt} show="date" />
          </Phrase>
        </p>
        <p lang={locale}>{languages[locale].name}</p>
      </div>
      <div className={styles.tools}>
        {isHidden && may('support') && (
          <Button
            look="text"
            onClick={() => {
              prepareDialog();
              setRevealing(true);
            }}
          >
            {t('desk.account.reveal.action')}
          </Button>
        )}
        {may('operator') && (
          <Link className={styles.record} to={`/desk/record?account=${encodeURIComponent(id)}`}>
            {t('desk.account.record')}
          </Link>
        )}
        <Button look="text" onClick={onRefresh}>
          {t('desk.account.refresh')}
        </Button>
      </div>
      {revealing && <RevealDialog account={id} onClose={() => setRevealing(false)} />}
    </div>
  );
};
