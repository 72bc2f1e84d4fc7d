import type { RegisteredClient } from '@candela/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ListEmpty, ListFailure } from '../../portal/components/list-states.tsx';
import { ApiError } from '../../shell/api/client.ts';
import { Skeleton } from '../../shell/components/skeleton.tsx';
import { useLocale } from '../../shell/language/use-locale.ts';
import { healthQuery } from '../queries.ts';
import { Section } from '../section.tsx';
import { LinkFigures } from './link-figures.tsx';
import styles from './usage.module.css';
import { type Day, seriesOf, UsageChart } from './usage-chart.tsx';

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
          <UsageChart days={data.days} />
          <KindSums days={data.days} />
        </>
      )}
      {data && <LinkFigures health={data} />}
    </Section>
  );
};
