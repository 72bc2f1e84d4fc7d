import { openBench } from './bench.ts';
import { readOptions } from './options.ts';
import { describeConditions, formatTable } from './report.ts';
import type { Row } from './result.ts';
import { chooseScenarios } from './scenarios.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);
const print = (text: string) => process.stdout.write(`${text}\n`);

const run = async () => {
  const options = readOptions(process.argv.slice(2));
  const scenarios = chooseScenarios(options.names);
  const bench = await openBench(options);
  const stop = () => bench.close().finally(() => process.exit(1));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);

  const rows: Row[] = [];
  let failed = false;
  try {
    for (const { name, run: measure } of scenarios) {
      const started = performance.now();
      try {
        rows.push(...(await measure(bench)));
      } catch (error) {
        // The results of the other scenarios are still useful.
        failed = true;
        say(`${name} failed: ${(error as Error).stack ?? error}`);
      }
      say(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
    }
    const conditions = describeConditions(bench);
    print(
      options.json
        ? JSON.stringify({ conditions, rows }, null, 2)
        : `\n${formatTable(rows)}\n\n${JSON.stringify(conditions)}`,
    );
  } finally {
    await bench.close();
  }
  return failed ? 1 : 0;
};

run().then(
  (code) => process.exit(code),
  (error: unknown) => {
    say((error as Error).stack ?? String(error));
    process.exit(1);
  },
);
