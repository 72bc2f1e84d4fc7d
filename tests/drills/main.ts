import { globSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '../support/postgres.ts';
import type { Drill, DrillOutcome } from './drill.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);
const say = (line: string) => process.stderr.write(`${line}\n`);

const loadDrills = async (): Promise<Drill[]> => {
  const files = globSync('*.drill.ts', { cwd: import.meta.dirname }).sort();
  const modules = await Promise.all(files.map((file) => import(`./${file}`)));
  return modules.map(({ drill }) => drill as Drill);
};

/** Runs one drill within its time limit, and cleans up after it. */
const perform = async (drill: Drill): Promise<DrillOutcome> => {
  const endings: (() => Promise<unknown>)[] = [];
  const onEnd = (work: () => Promise<unknown>) => void endings.unshift(work);
  const late = new AbortController();
  const limit = wait(drill.limitSeconds * 1000, undefined, { signal: late.signal }).then(() => {
    throw new Error(`it was not over after ${drill.limitSeconds} s`);
  });
  const running = drill.run({
    onEnd,
    say: (line) => say(`  ${line}`),
    startPostgres: async (settings) => {
      const postgres = await startPostgres(settings);
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

const run = async (names: readonly string[]): Promise<number> => {
  const drills = await loadDrills();
  const unknown = names.filter((name) => !drills.some((drill) => drill.name === name));
  if (unknown.length > 0) {
    say(`no drill is called ${unknown.join(', ')}; there are:`);
    for (const { name, breaks } of drills) say(`  ${name.padEnd(24)} ${breaks}`);
    return 2;
  }
  let failed = false;
  print('| drill | what is broken | has to hold | measured | |\n| --- | --- | --- | --- | --- |');
  for (const drill of drills) {
    if (names.length > 0 && !names.includes(drill.name)) continue;
    say(`${drill.name}: ${drill.breaks}`);
    const { passed, figures } = await perform(drill);
    failed ||= !passed;
    const told = passed ? 'passed' : 'FAILED';
    print(`| ${drill.name} | ${drill.breaks} | ${drill.passes} | ${figures} | ${told} |`);
  }
  return failed ? 1 : 0;
};

process.exit(await run(process.argv.slice(2)));
