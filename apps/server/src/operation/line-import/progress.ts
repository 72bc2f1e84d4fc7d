import type { ImportProgress, ImportSummary } from './import-lines.ts';

interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

const WIDTH = 30;
const BAR_EVERY_MS = 100;
const LINE_EVERY_MS = 5_000;

const number = new Intl.NumberFormat('en');

/** Prints a bar on a terminal, and a line now and then into a log. */
export const createProgressPrinter = (output: Output, now: () => number = () => performance.now()) => {
  const started = now();
  let printed = Number.NEGATIVE_INFINITY;

  const describe = ({ bytes, totalBytes, lines }: ImportProgress) => {
    const share = totalBytes === 0 ? 1 : bytes / totalBytes;
    const perSecond = (lines / Math.max(now() - started, 1)) * 1000;
    const figures = `${Math.floor(share * 100)} %  ${number.format(lines)} lines  ${number.format(Math.round(perSecond))} a second`;
    if (!output.isTTY) return `${figures}\n`;
    const full = Math.round(share * WIDTH);
    return `\r[${'#'.repeat(full)}${' '.repeat(WIDTH - full)}] ${figures}  `;
  };

  return {
    update: (progress: ImportProgress) => {
      const isLast = progress.bytes === progress.totalBytes;
      if (!isLast && now() - printed < (output.isTTY ? BAR_EVERY_MS : LINE_EVERY_MS)) return;
      printed = now();
      output.write(describe(progress));
    },
    finish: () => {
      if (output.isTTY) output.write('\n');
    },
  };
};

/** Sums up an import; the most frequent reasons of refusals first. */
export const describeSummary = <Refusal extends string>({
  imported,
  unchanged,
  refused,
  refusedTotal,
  reportPath,
}: ImportSummary<Refusal>): string =>
  [
    `imported ${number.format(imported)}, unchanged ${number.format(unchanged)}, refused ${number.format(refusedTotal)}`,
    ...Object.entries<number>(refused as Record<Refusal, number>)
      .toSorted(([, a], [, b]) => b - a)
      .map(([reason, count]) => `  ${reason} ${number.format(count)}`),
    ...(reportPath ? [`refused lines: ${reportPath}`] : []),
  ].join('\n');
