import type { ClientHealth, RegisteredClient } from '@candela/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ListEmpty, ListFailure } from '../../portal/components/list-states.tsx';
import { ApiError } from '../../shell/api/client.ts';
import { Skeleton } from '../../shell/components/skeleton.tsx';
import { useLocale } from '../../shell/language/use-locale.ts';
import { layOutBars } from '../chart/bars.ts';
import { healthQuery } from '../queries.ts';
import { Section } from '../section.tsx';
import { LinkFigures } from './link-figures.tsx';
import styles from './usage.module.css';

type Day = ClientHealth['days'][number];

const errorsOf = ({ errors }: Day): number =>
  Object.values(errors).reduce((sum: number, count) => sum + (count ?? 0), 0);

const seriesOf = (day: Day): number[] => [day.tokens, day.refreshes, errorsOf(day)];

const WIDTH = 640;
const HEIGHT = 180;
/** Room for the words around the bars. */
const LEFT = 48;
const TOP = 12;
const BOTTOM = 36;

const series = ['tokens', 'refreshes', 'errors'] as const;

const Bars = ({ days }: { days: readonly Day[] }) => {
  const { t } = useTranslation('developers');
  const locale = useLocale();
  const number = new Intl.NumberFormat(locale, { notation: 'compact' });
  const date = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const { ticks, top, bars } = layOutBars(days.map(seriesOf), { width: WIDTH, height: HEIGHT });
  const sums = series.map((_, index) => days.reduce((sum, day) => sum + (seriesOf(day)[index] ?? 0), 0));
  const [tokens, refreshes, errors] = sums.map((sum) => new Intl.NumberFormat(locale).format(sum));
  return (
    <figure className={styles.figure}>
      <ul className={styles.legend}>
        {series.map((name, index) => (
          <li key={name}>
            <span className={styles.swatch} data-series={index} aria-hidden="true" />
            {t(`usage.${name}`)}
          </li>
        ))}
      </ul>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${WIDTH + LEFT} ${HEIGHT + TOP + BOTTOM}`}
        role="img"
        aria-label={t('usage.summary', { tokens, refreshes, errors })}
      >
        <g transform={`translate(${LEFT} ${TOP})`}>
          {ticks.map((tick) => {
            const y = HEIGHT - (tick / top) * HEIGHT;
            return (
              <g key={tick}>
                <line className={styles.line} x2={WIDTH} y1={y} y2={y} />
                <text className={styles.label} x={-8} y={y + 4} textAnchor="end">
                  {number.format(tick)}
                </text>
              </g>
            );
          })}
          {bars.map((bar, index) =>
            bar.segments.map(({ series: which, y, height }) => (
              <rect
                key={`${days[index]?.day}-${which}`}
                className={styles.bar}
                data-series={which}
                x={bar.x}
                y={y}
                width={bar.width}
                height={height}
              />
            )),
          )}
          {[0, Math.floor(days.length / 2), days.length - 1].map((index) => (
            <text
              key={index}
              className={styles.label}
              x={(bars[index]?.x ?? 0) + (bars[index]?.width ?? 0) / 2}
              y={HEIGHT + 26}
              textAnchor={index === days.length - 1 ? 'end' : index === 0 ? 'start' : 'middle'}
            >
              {date.format(new Date(days[index]?.day ?? 0))}
            </text>
          ))}
        </g>
      </svg>
    </figure>
  );
};

/** The numbers behind the chart, the newest day first; days without any are left out. */
const Table = ({ days }: { days: readonly Day[] }) => {
  const { t } = useTranslation('developers');
  const locale = useLocale();
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const number = new Intl.NumberFormat(locale);
  const told = days.filter((day) => seriesOf(day).some((count) => count > 0)).toReversed();
  return (
    <details className={styles.details}>
      <summary>{t('usage.table')}</summary>
      <table className={styles.table}>
        <caption className="visually-hidden">{t('usage.caption')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('usage.day')}</th>
            {series.map((name) => (
              <th key={name} scope="col">
                {t(`usage.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {told.map((day) => (
            <tr key={day.day}>
              <th scope="row">
                <time dateTime={day.day}>{date.format(new Date(day.day))}</time>
              </th>
              {seriesOf(day).map((count, index) => (
                <td key={series[index]}>{number.format(count)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
};

const KindSums = ({ days }: { days: readonly Day[] }) => {
  const { t } = useTranslation('developers');
  const number = new Intl.NumberFormat(useLocale());
  const sums = new Map<keyof Day['errors'], number>();
  for (const { errors } of days)
    for (const [kind, count] of Object.entries(errors) as [keyof Day['errors'], number][])
      sums.set(kind, (sums.get(kind) ?? 0) + count);
  if (sums.size === 0) return null;
  return (
    <details className={styles.details}>
      <summary>{t('usage.kinds')}</summary>
      <ul className={styles.kinds}>
        {[...sums]
          .sort(([, a], [, b]) => b - a)
          .map(([kind, count]) => (
            <li key={kind}>
              <span>{t(`trouble.kinds.${kind}.title`)}</span>
              <span>{number.format(count)}</span>
            </li>
          ))}
      </ul>
    </details>
  );
};

/** Tokens, refreshes, errors and links of the last 30 days. */
export const Usage = ({ client }: { client: RegisteredClient }) => {
  const { t } = useTranslation('developers');
  const { data, error, isFetching, refetch } = useQuery(healthQuery(client.client_id));
  const isEmpty = data?.days.every((day) => seriesOf(day).every((count) => count === 0));
  return (
    <Section name="usage" text={t('usage.text')}>
      {!data && error instanceof ApiError && (
        <ListFailure error={error} busy={isFetching} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton heights={[220]} />}
      {data && isEmpty && <ListEmpty title={t('usage.empty')}>{t('usage.emptyText')}</ListEmpty>}
      {data && !isEmpty && (
        <>
          <Bars days={data.days} />
          <Table days={data.days} />
          <KindSums days={data.days} />
        </>
      )}
      {data && <LinkFigures health={data} />}
    </Section>
  );
};
