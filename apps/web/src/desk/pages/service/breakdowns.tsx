import type { DeskService } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shell/language/use-locale.ts';
import filters from '../../components/filters.module.css';
import { Nothing, Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';

/** Fewer codes tell nothing of whether somebody pumps messages. */
const ENOUGH_CODES = 20;
/** People use most codes. Where fewer than this share come back, somebody pumps messages, or they do not arrive. */
const LEAST_USED = 0.3;

const useNumber = () => {
  const locale = useLocale();
  const format = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  return { write: (count: number) => format.format(count), share: (part: number) => percent.format(part) };
};

/** Refused sign-ins by the code of the refusal, as logs have it. */
export const Refusals = ({ refusals }: Pick<DeskService, 'refusals'>) => {
  const { t } = useTranslation('desk');
  const { write } = useNumber();
  if (refusals.length === 0) return null;
  return (
    <Table
      caption={t('desk.service.refusals')}
      rows={refusals}
      keyOf={({ reason }) => reason}
      columns={[
        { heading: t('desk.service.reason'), cell: ({ reason }) => <code translate="no">{reason}</code> },
        { heading: t('desk.service.count'), cell: ({ count }) => write(count) },
      ]}
    />
  );
};

/** Links by the platform of their app: its preset. */
export const Platforms = ({ platforms }: Pick<DeskService, 'platforms'>) => {
  const { t } = useTranslation('desk');
  const { write } = useNumber();
  if (platforms.length === 0) return null;
  return (
    <Table
      caption={t('desk.service.platforms')}
      rows={platforms}
      keyOf={({ platform }) => platform}
      columns={[
        {
          heading: t('desk.service.platform'),
          cell: ({ platform }) =>
            platform === 'other' ? t('desk.service.other') : <code translate="no">{platform}</code>,
        },
        { heading: t('desk.service.series.made'), cell: ({ made }) => write(made) },
        { heading: t('desk.service.series.refreshed'), cell: ({ refreshed }) => write(refreshed) },
        { heading: t('desk.service.series.ended'), cell: ({ ended }) => write(ended) },
      ]}
    />
  );
};

type Gateway = DeskService['gateways'][number];

/** Codes that came back right, and whether so few did that somebody has to look. */
const Used = ({ gateway: { codesSent, codesUsed } }: { gateway: Gateway }) => {
  const { t } = useTranslation('desk');
  const { write, share } = useNumber();
  if (codesSent === 0) return <>{write(codesUsed)}</>;
  const isPumped = codesSent >= ENOUGH_CODES && codesUsed / codesSent < LEAST_USED;
  return (
    <>
      {write(codesUsed)} ({share(Math.min(1, codesUsed / codesSent))})
      {isPumped && <span className={filters.bad}> {t('desk.service.pumped')}</span>}
    </>
  );
};

/** Messages and codes by gateway and country. */
export const Gateways = ({ gateways }: Pick<DeskService, 'gateways'>) => {
  const { t } = useTranslation('desk');
  const { write } = useNumber();
  const title = t('desk.service.gateways');
  const failure = (count: number) => (
    <span className={count > 0 ? filters.bad : undefined}>{write(count)}</span>
  );
  return (
    <Section name="gateways" title={title}>
      {gateways.length === 0 ? (
        <Nothing>{t('desk.service.noMessages')}</Nothing>
      ) : (
        <Table
          caption={title}
          rows={gateways}
          keyOf={({ channel, callingCode = '' }) => `${channel} ${callingCode}`}
          columns={[
            {
              heading: t('desk.service.gateway'),
              cell: ({ channel, callingCode }) =>
                channel === 'email' ? t('desk.service.email') : `SMS +${callingCode}`,
            },
            { heading: t('desk.service.series.taken'), cell: ({ taken }) => write(taken) },
            { heading: t('desk.service.series.failed'), cell: ({ failed }) => failure(failed) },
            { heading: t('desk.service.series.given'), cell: ({ refused }) => failure(refused) },
            { heading: t('desk.service.codesSent'), cell: ({ codesSent }) => write(codesSent) },
            { heading: t('desk.service.codesUsed'), cell: (gateway) => <Used gateway={gateway} /> },
          ]}
        />
      )}
    </Section>
  );
};
