import type { DeskService } from '@candela/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BarChart } from '../../../console/chart/bar-chart.tsx';
import { ChartTable } from '../../../console/chart/chart-table.tsx';
import { formatHour } from '../../../shell/language/format.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';
import filters from '../../components/filters.module.css';
import { Section } from '../../components/section.tsx';
import { Gateways, Platforms, Refusals } from './breakdowns.tsx';

type Step = DeskService['steps'][number];

/** What one chart shows: the parts of its bars, from the bottom up, and the columns of the table behind it. */
interface ChartKind {
  bars: readonly (readonly [name: string, of: (step: Step) => number])[];
  /** The bars, where it is left out. */
  columns?: readonly (readonly [name: string, of: (step: Step) => number])[];
}

interface CountsOfProps extends ChartKind {
  name: string;
  title: string;
  service: DeskService;
  /** What of it is told apart further. */
  children?: ReactNode;
}

/** A chart with the table behind it. */
const CountsOf = ({
  name,
  title,
  service: { steps, span },
  bars,
  columns = bars,
  children,
}: CountsOfProps) => {
  const { t } = useTranslation('desk');
  const locale = useLocale();
  const number = new Intl.NumberFormat(locale);
  const day = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const stepsOf = (parts: ChartKind['bars']) =>
    steps.map((step) => ({ at: step.at, values: parts.map(([, of]) => of(step)) }));
  const sums = columns.map(
    ([label, of]) => `${label}: ${number.format(steps.reduce((sum, step) => sum + of(step), 0))}`,
  );
  const isDay = span === 'day';
  // No hour comes twice in a day.
  const writeStep = (at: Date) => (isDay ? formatHour(at, locale) : day.format(at));
  return (
    <Section name={name} title={title}>
      <div className={filters.chart}>
        <BarChart
          label={[`${title}. ${t(`desk.service.spans.${span}`)}`, ...sums].join('. ')}
          series={bars.map(([label]) => label)}
          steps={stepsOf(bars)}
          writeStep={writeStep}
        />
        <ChartTable
          summary={t('desk.service.table')}
          caption={title}
          step={isDay ? t('desk.service.from') : t('desk.service.day')}
          series={columns.map(([label]) => label)}
          steps={stepsOf(columns)}
          writeStep={writeStep}
        />
      </div>
      {children}
    </Section>
  );
};

/** What people and apps did within the span. */
export const Counts = ({ service }: { service: DeskService }) => {
  const { t } = useTranslation('desk');
  return (
    <>
      <div className={filters.columns}>
        <CountsOf
          name="sign-ins"
          title={t('desk.service.signIns')}
          service={service}
          bars={[
            [t('desk.service.series.succeeded'), ({ signIns }) => signIns.succeeded],
            [t('desk.service.series.registered'), ({ signIns }) => signIns.registered],
            [t('desk.service.series.refused'), ({ signIns }) => signIns.refused],
          ]}
        >
          <Refusals refusals={service.refusals} />
        </CountsOf>
        <CountsOf
          name="links"
          title={t('desk.service.links')}
          service={service}
          bars={[
            [t('desk.service.series.made'), ({ links }) => links.made],
            [t('desk.service.series.refreshed'), ({ links }) => links.refreshed],
            [t('desk.service.series.ended'), ({ links }) => links.ended],
          ]}
        >
          <Platforms platforms={service.platforms} />
        </CountsOf>
        <CountsOf
          name="codes"
          title={t('desk.service.codes')}
          service={service}
          bars={[
            [t('desk.service.series.used'), ({ codes }) => codes.used],
            [t('desk.service.series.unused'), ({ codes }) => Math.max(0, codes.sent - codes.used)],
          ]}
          columns={[
            [t('desk.service.series.sent'), ({ codes }) => codes.sent],
            [t('desk.service.series.used'), ({ codes }) => codes.used],
          ]}
        />
        <CountsOf
          name="messages"
          title={t('desk.service.messages')}
          service={service}
          bars={[
            [t('desk.service.series.taken'), ({ messages }) => messages.taken],
            [t('desk.service.series.failed'), ({ messages }) => messages.failed],
            [t('desk.service.series.given'), ({ messages }) => messages.refused],
          ]}
        />
      </div>
      <Gateways gateways={service.gateways} />
    </>
  );
};
