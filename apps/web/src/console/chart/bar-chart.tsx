import { useLocale } from '../../shell/language/use-locale.ts';
import styles from './bar-chart.module.css';
import { layOutBars } from './bars.ts';

const WIDTH = 640;
const HEIGHT = 180;
/** Room for the words around the bars. */
const LEFT = 48;
const TOP = 12;
const BOTTOM = 36;

/** What happened within one step of time. */
export interface ChartStep {
  /** The start of the step, in ISO 8601. */
  at: string;
  /** One for each series. */
  values: readonly number[];
}

interface BarChartProps {
  /** What the chart says, for whoever does not see it. */
  label: string;
  /** The names of the series, at most three. */
  series: readonly string[];
  steps: readonly ChartStep[];
  /** Writes the start of a step below its bar. */
  writeStep: (at: Date) => string;
}

const anchorOf = (index: number, last: number): 'start' | 'middle' | 'end' => {
  if (index === 0) return 'start';
  return index === last ? 'end' : 'middle';
};

/** Stacked bars over time, with a legend. `ChartTable` has the numbers. */
export const BarChart = ({ label, series, steps, writeStep }: BarChartProps) => {
  const number = new Intl.NumberFormat(useLocale(), { notation: 'compact' });
  const { ticks, top, bars } = layOutBars(
    steps.map(({ values }) => values),
    { width: WIDTH, height: HEIGHT },
  );
  const last = steps.length - 1;
  return (
    <figure className={styles.figure}>
      <ul className={styles.legend}>
        {series.map((name, index) => (
          <li key={name}>
            <span className={styles.swatch} data-series={index} aria-hidden="true" />
            {name}
          </li>
        ))}
      </ul>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${WIDTH + LEFT} ${HEIGHT + TOP + BOTTOM}`}
        role="img"
        aria-label={label}
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
                key={`${steps[index]?.at}-${which}`}
                className={styles.bar}
                data-series={which}
                x={bar.x}
                y={y}
                width={bar.width}
                height={height}
              />
            )),
          )}
          {[0, Math.floor(steps.length / 2), last].map((index) => (
            <text
              key={index}
              className={styles.label}
              x={(bars[index]?.x ?? 0) + (bars[index]?.width ?? 0) / 2}
              y={HEIGHT + 26}
              textAnchor={anchorOf(index, last)}
            >
              {writeStep(new Date(steps[index]?.at ?? 0))}
            </text>
          ))}
        </g>
      </svg>
    </figure>
  );
};
