import type { Bench } from './bench.ts';
import type { Row } from './result.ts';
import { runDesk } from './scenarios/desk.ts';
import { runFlow } from './scenarios/flow.ts';
import { runGrowth } from './scenarios/growth.ts';
import { runImport } from './scenarios/import.ts';
import { runLists } from './scenarios/lists.ts';
import { runListsGrowth } from './scenarios/lists-growth.ts';
import { runMemory } from './scenarios/memory.ts';
import { runPartitions } from './scenarios/partitions.ts';
import { protocolScenarios, runProtocol } from './scenarios/protocol.ts';
import { runReady, runReadyEmbedded } from './scenarios/ready.ts';
import { runCodeSignIn, runPassword } from './scenarios/sign-in.ts';
import { runSignals } from './scenarios/signals.ts';
import { runSweep } from './scenarios/sweep.ts';
import { runWorkers } from './scenarios/workers.ts';

interface Scenario {
  name: string;
  /** Run only if asked for by name. */
  extra?: boolean;
  run(bench: Bench): Promise<Row[]>;
}

const EXTRA = new Set(['introspection-without-hint']);

/** All of them, in the order in which they run. */
export const scenarios: readonly Scenario[] = [
  ...Object.entries(protocolScenarios).map(([name, scenario]) => ({
    name,
    extra: EXTRA.has(name),
    run: async (bench: Bench) => [await runProtocol(bench, name, scenario)],
  })),
  { name: 'password', run: async (bench) => [await runPassword(bench)] },
  { name: 'code-sign-in', run: async (bench) => [await runCodeSignIn(bench)] },
  { name: 'flow', run: runFlow },
  { name: 'lists', run: runLists },
  { name: 'lists-growth', run: runListsGrowth },
  { name: 'desk', run: runDesk },
  { name: 'ready', run: async (bench) => [await runReady(bench)] },
  { name: 'ready-embedded', run: async (bench) => [await runReadyEmbedded(bench)] },
  { name: 'memory', run: async (bench) => [await runMemory(bench)] },
  { name: 'growth', run: runGrowth },
  { name: 'import', extra: true, run: async (bench) => [await runImport(bench)] },
  { name: 'sweep', run: async (bench) => [await runSweep(bench)] },
  { name: 'signals', run: async (bench) => [await runSignals(bench)] },
  { name: 'workers', run: runWorkers },
  { name: 'partitions', extra: true, run: runPartitions },
];

/** @throws Error that lists the names if a name is unknown */
export const chooseScenarios = (names: readonly string[]): readonly Scenario[] => {
  const unknown = names.filter((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `no scenario ${unknown.join(', ')}; there are ${scenarios.map(({ name }) => name).join(', ')}`,
    );
  }
  return scenarios.filter(({ name, extra }) => (names.length > 0 ? names.includes(name) : !extra));
};
