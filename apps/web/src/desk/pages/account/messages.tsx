import type { DeskAccount, DeskMessage } from '@candela/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { unbroken } from '../../components/contact-text.ts';
import { MoreRows } from '../../components/more-rows.tsx';
import { Nothing, Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { deskMessagesQuery } from '../../queries.ts';
import styles from './messages.module.css';
import { usePurposeName } from './use-purpose-name.ts';

/** What became of a message, with the words of the gateway where it refused. */
const State = ({ message: { state, words, tries } }: { message: DeskMessage }) => {
  const { t } = useTranslation('desk');
  return (
    <>
      <span className={styles.state} data-state={state}>
        {t(`desk.account.messages.${state}`)}
      </span>
      {words && <span className={styles.words}>{words}</span>}
      {tries > 1 && (
        <span className={styles.quiet}>{t('desk.account.messages.tries', { count: tries })}</span>
      )}
    </>
  );
};

/** The last messages to the person: when, what for, where to, and whether the gateway took them. Never a code. */
export const Messages = ({ account }: { account: DeskAccount }) => {
  const { t } = useTranslation('desk');
  const purposeName = usePurposeName();
  const query = useInfiniteQuery(deskMessagesQuery(account));
  const messages = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const title = t('desk.account.sections.messages');
  return (
    <Section name="messages" title={title}>
      {messages.length === 0 ? (
        <Nothing>{t('desk.account.messages.none')}</Nothing>
      ) : (
        <Table
          caption={title}
          rows={messages}
          keyOf={({ id }) => id}
          columns={[
            { heading: t('desk.account.messages.at'), cell: ({ at }) => <Moment at={at} show="distance" /> },
            {
              heading: t('desk.account.messages.purpose'),
              cell: ({ purpose }) => purposeName(purpose),
            },
            { heading: t('desk.account.messages.to'), cell: ({ to }) => unbroken(to) },
            {
              heading: t('desk.account.messages.state'),
              cell: (message) => <State message={message} />,
            },
          ]}
        />
      )}
      <MoreRows query={query} />
    </Section>
  );
};
