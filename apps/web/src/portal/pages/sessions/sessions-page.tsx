import type { Session } from '@candela/contract';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { useDeviceName } from '../../../flow/components/use-device-name.ts';
import { leaveHandover } from '../../../flow/interaction/handover.ts';
import { call } from '../../../shell/api/client.ts';
import { noteFarewell } from '../../../shell/api/farewell.ts';
import { Button } from '../../../shell/components/button.tsx';
import { leaveFor } from '../../../shell/forms/use-submit.ts';
import { Link } from '../../../shell/navigation/link.tsx';
import { focusAfterEnding } from '../../account/focus-after-ending.ts';
import { ListHeading } from '../../account/list-heading.tsx';
import { PagedList } from '../../account/paged-list.tsx';
import { sessionsQuery } from '../../account/queries.ts';
import { useEnding } from '../../account/use-ending.ts';
import { useListSearch } from '../../account/use-list-search.ts';
import card from '../../components/card.module.css';
import { ListSearch } from '../../components/list-search.tsx';
import { type Ending, EndSessionDialog } from './end-session-dialog.tsx';
import { SessionRow } from './session-row.tsx';
import styles from './sessions-page.module.css';

const end = async (target: Ending): Promise<void> => {
  if (target === 'all') await call('DELETE /api/sessions');
  else if (target === 'others') await call('DELETE /api/sessions', { query: { except: 'current' } });
  else await call('DELETE /api/sessions/:id', { params: { id: target.id } });
};

interface OtherSessionsProps {
  sessions: readonly Session[];
  /** Whether the list is loaded whole. */
  isWhole: boolean;
  search: ReturnType<typeof useListSearch<Session>>;
  onEnd: (target: Ending) => void;
}

/** The sessions in other browsers that match the search, with buttons that end each or all. */
const OtherSessions = ({ sessions, isWhole, search, onEnd }: OtherSessionsProps) => {
  const { t } = useTranslation('account');
  const found = sessions.filter(search.matches);
  return (
    <>
      <div className={styles.others}>
        <h2>{t('sessions.others')}</h2>
        <Button look="text" onClick={() => onEnd('others')}>
          {sessions.length > 1 && isWhole
            ? t('sessions.signOutNumber', { number: sessions.length })
            : t('sessions.signOutOthers')}
        </Button>
      </div>
      <ListSearch label={t('sessions.search')} search={search} found={found.length} />
      {found.length > 0 && (
        <ul className={card.card}>
          {found.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => onEnd(session)} />
          ))}
        </ul>
      )}
    </>
  );
};

/** Advice for a person who does not recognize a session. */
const Strange = ({ onEndAll }: { onEndAll: () => void }) => {
  const { t } = useTranslation('account');
  return (
    <>
      <p className={styles.strange}>
        <Phrase text={(change) => t('sessions.strange', { change })}>
          <Link to="/index" state={{ setting: 'password' }}>
            {t('sessions.changePassword')}
          </Link>
        </Phrase>
      </p>
      <Button onClick={onEndAll}>{t('sessions.signOutAll')}</Button>
    </>
  );
};

/** The sessions of the account, first the session of this browser. */
export const SessionsPage = () => {
  const { t } = useTranslation('account');
  const client = useQueryClient();
  const query = useInfiniteQuery(sessionsQuery);
  const all = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const deviceName = useDeviceName();
  const search = useListSearch(query, (session) => `${deviceName(session)} ${session.userAgent}`);

  const ending = useEnding<Ending>(end, async (target) => {
    if (target === 'all' || (target !== 'others' && target.current)) {
      leaveHandover({ done: true });
      noteFarewell('signed-out');
      return leaveFor('/login');
    }
    const others = all.filter((session) => !session.current && search.matches(session));
    await client.refetchQueries({ queryKey: sessionsQuery.queryKey });
    focusAfterEnding(others, target === 'others' ? undefined : target.id);
  });

  return (
    <>
      <ListHeading title={t('sessions.title')} text={t('sessions.text')} />
      <PagedList query={query}>
        {(items) => {
          const current = items.filter((session) => session.current);
          const others = items.filter((session) => !session.current);
          return (
            <>
              <h2 className="visually-hidden">{t('sessions.thisDevice')}</h2>
              <ul className={card.card}>
                {current.map((session) => (
                  <SessionRow key={session.id} session={session} onEnd={() => ending.ask(session)} />
                ))}
              </ul>
              {others.length === 0 ? (
                <p className={styles.only}>{t('sessions.onlyThis')}</p>
              ) : (
                <OtherSessions
                  sessions={others}
                  isWhole={!query.hasNextPage}
                  search={search}
                  onEnd={ending.ask}
                />
              )}
            </>
          );
        }}
      </PagedList>
      {all.length > 1 && <Strange onEndAll={() => ending.ask('all')} />}
      {ending.target && <EndSessionDialog target={ending.target} answer={ending.answer} />}
    </>
  );
};
