import { cpus, loadavg } from 'node:os';
import { settings } from '../support/postgres.ts';
import type { Bench } from './bench.ts';
import type { Row } from './result.ts';

/** The conditions under which the figures were taken. */
export const describeConditions = ({ options, cores, postgres }: Bench) => ({
  processor: cpus()[0]?.model ?? '',
  cores: cpus().length,
  serverCore: cores.pinned ? cores.server : 'not pinned',
  loadAndDatabaseCores: cores.pinned ? cores.rest : 'not pinned',
  // A load above the bench’s own two to three processes means that other work disturbed it.
  loadAverage: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  node: process.version,
  postgres: postgres.version,
  postgresSettings: settings,
  rounds: options.rounds,
  secondsPerRound: options.seconds,
  concurrency: options.concurrency,
});

const rate = (value: number | undefined) => (value === undefined ? '' : value.toFixed(value < 100 ? 1 : 0));
const milliseconds = (value: number | undefined) =>
  value === undefined ? '' : value.toFixed(value < 10 ? 2 : 1);
const ratio = (value: number | undefined) => (value === undefined ? '' : value.toFixed(2));
const count = (value: number | undefined) => (value === undefined ? '' : String(value));

/** The largest of these shares, in percent. */
const share = (values: readonly (number | undefined)[]) => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? '' : (Math.max(...known) * 100).toFixed(0);
};

const columns: [string, (row: Row) => string][] = [
  ['', ({ name }) => name],
  ['per s', ({ candela }) => rate(candela?.perSecond)],
  ['p50 ms', ({ candela }) => milliseconds(candela?.p50Milliseconds)],
  ['p99 ms', ({ candela }) => milliseconds(candela?.p99Milliseconds)],
  ['cpu ms', ({ candela }) => milliseconds(candela?.cpuMilliseconds)],
  ['statements', ({ counts }) => count(counts?.statements)],
  ['round trips', ({ counts }) => count(counts?.roundTrips)],
  ['beside', ({ other }) => other?.label ?? ''],
  ['per s', ({ other }) => rate(other?.perSecond)],
  ['p99 ms', ({ other }) => milliseconds(other?.p99Milliseconds)],
  ['cpu ms', ({ other }) => milliseconds(other?.cpuMilliseconds)],
  ['ratio', ({ ratios }) => ratio(ratios?.throughput)],
  ['cpu ratio', ({ ratios }) => ratio(ratios?.cpu)],
  ['others %', ({ candela, other }) => share([candela?.takenByOthers, other?.takenByOthers])],
  ['wanted', ({ wanted }) => ratio(wanted)],
];

/** A Markdown table, with columns aligned for a terminal, and the notes below it. */
export const formatTable = (rows: readonly Row[]): string => {
  const used = columns.filter(([, cell], index) => index === 0 || rows.some((row) => cell(row) !== ''));
  const cells = [used.map(([title]) => title), ...rows.map((row) => used.map(([, cell]) => cell(row)))];
  const widths = used.map((_, column) => Math.max(3, ...cells.map((line) => line[column]?.length ?? 0)));
  const [head = '', ...body] = cells.map(
    (line) =>
      `| ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  const notes = rows.flatMap(({ name, notes: known = {} }) =>
    Object.entries(known).map(([title, value]) => `- ${name}: ${title} ${value}`),
  );
  return [head, rule, ...body, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
};
