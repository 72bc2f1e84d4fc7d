import { globSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres.ts';
import type { Drill, DrillOutcome, SkippedDrill } from './drill.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);
const say = (line: string) => process.stderr.write(`${line}\n`);

const loadDrills = async (): Promise<Drill[]> => {
  const files = globSync('*.drill.ts', { cwd: import.meta.dirname }).sort();
  const modules = await Promise.all(files.map((file) => import(`./${file}`)));
  return modules.map(({ drill }) => drill as Drill);
};

/** Runs one drill within its time limit, and cleans up after it. */
const perform = async (drill: Drill, isFull: boolean): Promise<DrillOutcome | SkippedDrill> => {
  const seconds = (isFull && drill.fullLimitSeconds) || drill.limitSeconds;
  const endings: (() => Promise<unknown>)[] = [];
  const onEnd = (work: () => Promise<unknown>) => void endings.unshift(work);
  const late = new AbortController();
  const limit = wait(seconds * 1000, undefined, { signal: late.signal }).then(() => {
    throw new Error(`it was not over after ${seconds} s`);
  });
  const running = drill.run({
    onEnd,
    isFull,
    say: (line) => say(`  ${line}`),
    startPostgres: async (settings, tables) => {
      const postgres = await startPostgres(settings, tables);
      onEnd(() => postgres.stop());
      return postgres;
    },
  });
  try {
    return await Promise.race([running, limit]);
  } catch (error) {
    return { passed: false, figures: (error as Error).stack ?? String(error) };
  } finally {
    late.abort();
    for (const end of endings) await end().catch((error: unknown) => say(`  clearing up: ${error}`));
  }
};

const columns = (...cells: string[]) => print(`| ${cells.join(' | ')} |`);

const run = async (names: readonly string[], isFull: boolean): Promise<number> => {
  const drills = await loadDrills();
  const unknown = names.filter((name) => !drills.some((drill) => drill.name === name));
  if (unknown.length > 0) {
    say(`no drill is called ${unknown.join(', ')}; there are:`);
    for (const { name, breaks } of drills) say(`  ${name.padEnd(24)} ${breaks}`);
    return 2;
  }
  let failed = false;
  columns('drill', 'row', 'what is broken', 'has to hold', 'measured', '');
  columns(...Array.from({ length: 6 }, () => '---'));
  for (const drill of drills) {
    if (names.length > 0 && !names.includes(drill.name)) continue;
    const { name, row = '', breaks, passes } = drill;
    say(`${name}: ${breaks}`);
    const start = performance.now();
    const outcome = await perform(drill, isFull);
    say(`  ${((performance.now() - start) / 1000).toFixed(0)} s`);
    if ('skipped' in outcome) {
      columns(name, row, breaks, passes, outcome.skipped, 'skipped');
      continue;
    }
    failed ||= !outcome.passed;
    columns(name, row, breaks, passes, outcome.figures, outcome.passed ? 'passed' : 'FAILED');
  }
  return failed ? 1 : 0;
};

const { values, positionals } = parseArgs({
  options: { full: { type: 'boolean', default: false } },
  allowPositionals: true,
});

process.exit(await run(positionals, values.full));
