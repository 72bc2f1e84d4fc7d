import type { Authorization, DeskAccount, EndedAuthorization } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { Nothing, Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { ActButton } from './act-button.tsx';
import styles from './apps.module.css';
import { useWordsOfEnd } from './use-words-of-end.ts';

type App = { live: Authorization } | { ended: EndedAuthorization };

const appOf = (app: App): Authorization | EndedAuthorization => ('live' in app ? app.live : app.ended);

const Name = ({ app }: { app: App }) => {
  const { client, label } = appOf(app);
  return (
    <>
      {client.name}
      {label && <span className={styles.quiet}>{label}</span>}
      <span className={styles.quiet}>
        <bdi>{client.host}</bdi>
      </span>
    </>
  );
};

/** How the link of an app fares, and of one that ended why. */
const State = ({ app }: { app: App }) => {
  const { t } = useTranslation('desk');
  const wordsOfEnd = useWordsOfEnd();
  if ('ended' in app) {
    return (
      <>
        <span className={styles.ended}>
          <Phrase text={(when) => t('desk.account.apps.ended', { when })}>
            <Moment at={app.ended.endedAt} show="distance" />
          </Phrase>
        </span>
        <span className={styles.quiet}>{wordsOfEnd(app.ended)}</span>
      </>
    );
  }
  const { link } = app.live;
  if (!link) return t('desk.account.apps.signIn');
  return link.state === 'quiet' ? t('desk.account.apps.quiet') : t('desk.account.apps.working');
};

/** The apps of the account: those that live, then those that ended in the last 90 days. */
export const Apps = ({ account }: { account: DeskAccount }) => {
  const { t } = useTranslation('desk');
  const rows: App[] = [
    ...account.apps.map((live) => ({ live })),
    ...account.endedApps.map((ended) => ({ ended })),
  ];
  const title = t('desk.account.sections.apps');
  const withdraw = (app: App) => {
    if (!('live' in app)) return null;
    const { id, client } = app.live;
    return (
      <ActButton
        act="withdraw-authorization"
        authorization={{ id, app: client.name }}
        label={t('desk.account.apps.withdraw')}
        aria-label={t('desk.account.apps.withdrawOf', { app: client.name })}
      />
    );
  };
  return (
    <Section name="apps" title={title}>
      {rows.length === 0 ? (
        <Nothing>{t('desk.account.apps.none')}</Nothing>
      ) : (
        <Table
          caption={title}
          rows={rows}
          keyOf={(app) => appOf(app).id}
          columns={[
            { heading: t('desk.account.apps.app'), cell: (app) => <Name app={app} /> },
            { heading: t('desk.account.apps.state'), cell: (app) => <State app={app} /> },
            {
              heading: t('desk.account.apps.used'),
              cell: (app) => 'live' in app && <Moment at={app.live.lastAccessedAt} show="distance" />,
            },
            {
              heading: t('desk.account.apps.since'),
              cell: (app) => (
                <Moment at={'live' in app ? app.live.createdAt : app.ended.link.since} show="date" />
              ),
            },
            { heading: t('desk.account.apps.action'), quiet: true, cell: withdraw },
          ]}
        />
      )}
    </Section>
  );
};
