import type { DeskService } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { formatDistance } from '../../../shell/language/format.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';
import { Facts } from '../../components/facts.tsx';
import filters from '../../components/filters.module.css';
import { Nothing, Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';

/** Items that wait longer than this are late. */
const LATE_SECONDS = 60;
/** The database answers in a few milliseconds when it is well. */
const SLOW_MS = 100;

const useQueueName = () => {
  const { t, i18n } = useTranslation('desk');
  // A queue of a later release keeps its name.
  return (queue: string): string => {
    const key = `desk.service.queues.${queue}`;
    return i18n.exists(key, { ns: 'desk' }) ? t(key as 'desk.service.queues.mail') : queue;
  };
};

const Processes = ({ processes }: Pick<DeskService, 'processes'>) => {
  const { t } = useTranslation('desk');
  const title = t('desk.service.processes');
  return (
    <Section name="processes" title={title}>
      {processes.length === 0 ? (
        <Nothing>{t('desk.service.noProcesses')}</Nothing>
      ) : (
        <Table
          caption={title}
          rows={processes}
          keyOf={({ id }) => id}
          columns={[
            {
              heading: t('desk.service.host'),
              cell: ({ host, id }) => (
                <span translate="no">
                  {host ?? id}
                  <span className={filters.quiet}>{id.slice(0, 8)}</span>
                </span>
              ),
            },
            { heading: t('desk.service.version'), cell: ({ version }) => version ?? '–' },
            {
              heading: t('desk.service.started'),
              cell: ({ startedAt }) => startedAt && <Moment at={startedAt} show="distance" />,
            },
            {
              heading: t('desk.service.seen'),
              cell: ({ seenAt }) => <Moment at={seenAt} show="distance" />,
            },
          ]}
        />
      )}
    </Section>
  );
};

const Backlog = ({ backlog: { queues, failingStreams } }: Pick<DeskService, 'backlog'>) => {
  const { t } = useTranslation('desk');
  const locale = useLocale();
  const number = new Intl.NumberFormat(locale);
  const queueName = useQueueName();
  const title = t('desk.service.backlog');
  const streams = { queue: 'failing_streams', due: failingStreams, oldestSeconds: 0 };
  return (
    <Section name="backlog" title={title}>
      <Table
        caption={title}
        rows={[...queues, streams]}
        keyOf={({ queue }) => queue}
        columns={[
          { heading: t('desk.service.queue'), cell: ({ queue }) => queueName(queue) },
          { heading: t('desk.service.due'), cell: ({ due }) => number.format(due) },
          {
            heading: t('desk.service.oldest'),
            cell: ({ due, oldestSeconds }) =>
              due > 0 &&
              oldestSeconds > 0 && (
                <span className={oldestSeconds > LATE_SECONDS ? filters.bad : undefined}>
                  {formatDistance(-oldestSeconds, locale)}
                </span>
              ),
          },
        ]}
      />
    </Section>
  );
};

/** What is the case now: the database, the processes, and what waits. */
export const State = ({ service }: { service: DeskService }) => {
  const { t } = useTranslation('desk');
  const { kind, version, schema, milliseconds } = service.database;
  const number = new Intl.NumberFormat(useLocale(), { maximumFractionDigits: 1 });
  return (
    <div className={filters.columns}>
      <div className={filters.page}>
        <Section name="database" title={t('desk.service.database')}>
          <div className={filters.chart}>
            <Facts
              facts={[
                [
                  t('desk.service.engine'),
                  kind === 'embedded' ? t('desk.service.embedded', { version }) : `PostgreSQL ${version}`,
                ],
                [t('desk.service.schema'), <code translate="no">{schema}</code>],
                [
                  t('desk.service.answers'),
                  <span className={milliseconds > SLOW_MS ? filters.bad : undefined}>
                    {t('desk.service.milliseconds', { number: number.format(milliseconds) })}
                  </span>,
                ],
              ]}
            />
          </div>
        </Section>
        <Processes processes={service.processes} />
      </div>
      <Backlog backlog={service.backlog} />
    </div>
  );
};
