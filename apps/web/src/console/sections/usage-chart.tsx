import type { ClientHealth } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../shell/language/use-locale.ts';
import { BarChart } from '../chart/bar-chart.tsx';
import { ChartTable } from '../chart/chart-table.tsx';

/** A day of a client. */
export type Day = ClientHealth['days'][number];

const errorsOf = ({ errors }: Day): number =>
  Object.values(errors).reduce((sum: number, count) => sum + (count ?? 0), 0);

/** Its tokens, refreshes and errors. */
export const seriesOf = (day: Day): number[] => [day.tokens, day.refreshes, errorsOf(day)];

const series = ['tokens', 'refreshes', 'errors'] as const;

/** The chart of the days, and the numbers behind it. */
export const UsageChart = ({ days }: { days: readonly Day[] }) => {
  const { t } = useTranslation('developers');
  const locale = useLocale();
  const number = new Intl.NumberFormat(locale);
  const steps = days.map((day) => ({ at: day.day, values: seriesOf(day) }));
  const [tokens, refreshes, errors] = series.map((_, index) =>
    number.format(steps.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)),
  );
  const short = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const long = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const names = series.map((name) => t(`usage.${name}`));
  return (
    <>
      <BarChart
        label={t('usage.summary', { tokens, refreshes, errors })}
        series={names}
        steps={steps}
        writeStep={(at) => short.format(at)}
      />
      <ChartTable
        summary={t('usage.table')}
        caption={t('usage.caption')}
        step={t('usage.day')}
        series={names}
        steps={steps}
        writeStep={(at) => long.format(at)}
      />
    </>
  );
};
