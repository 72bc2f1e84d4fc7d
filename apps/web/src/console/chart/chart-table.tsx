import { useLocale } from '../../shell/language/use-locale.ts';
import type { ChartStep } from './bar-chart.tsx';
import styles from './chart-table.module.css';

interface ChartTableProps {
  /** The words that unfold it. */
  summary: string;
  caption: string;
  /** The heading of the steps. */
  step: string;
  series: readonly string[];
  steps: readonly ChartStep[];
  writeStep: (at: Date) => string;
}

/** The numbers behind a chart, the newest step first; steps without any are left out. */
export const ChartTable = ({ summary, caption, step, series, steps, writeStep }: ChartTableProps) => {
  const number = new Intl.NumberFormat(useLocale());
  const told = steps.filter(({ values }) => values.some((count) => count > 0)).toReversed();
  return (
    <details className={styles.details}>
      <summary>{summary}</summary>
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{step}</th>
            {series.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {told.map(({ at, values }) => (
            <tr key={at}>
              <th scope="row">
                <time dateTime={at}>{writeStep(new Date(at))}</time>
              </th>
              {values.map((count, index) => (
                <td key={series[index]}>{number.format(count)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
};
