import type { ClientHealth, LinkEndReason } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../shell/language/use-locale.ts';
import styles from '../chart/chart-table.module.css';

type Row = readonly [label: string, count: number];

/** How the links of a client fare, as a table: made, refreshed, quiet, and ended by reason. */
export const LinkFigures = ({ health: { linkFigures, days } }: { health: ClientHealth }) => {
  const { t } = useTranslation('developers');
  const number = new Intl.NumberFormat(useLocale());
  const { made, quiet, ended } = linkFigures;
  const reasons = Object.entries(ended) as [LinkEndReason, number][];
  const rows: Row[] = [
    [t('usage.links.made'), made],
    [t('usage.links.refreshed'), days.reduce((sum, { refreshes }) => sum + refreshes, 0)],
    [t('usage.links.quiet'), quiet],
    ...reasons.map(([reason, count]): Row => [t(`usage.links.ended.${reason}`), count]),
  ];
  if (rows.every(([, count]) => count === 0)) return null;
  return (
    <table className={styles.table}>
      <caption className={styles.caption}>{t('usage.links.caption')}</caption>
      <tbody>
        {rows.map(([label, count]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{number.format(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
