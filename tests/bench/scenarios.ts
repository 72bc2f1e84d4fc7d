import type { Bench } from './bench.ts';
import type { Row } from './result.ts';
import { protocolScenarios, runProtocol } from './scenarios/protocol.ts';

interface Scenario {
  name: string;
  /** Left out unless asked for by name. */
  extra?: boolean;
  run(bench: Bench): Promise<Row[]>;
}

const EXTRA = new Set(['introspection-without-hint']);

const scenarios: readonly Scenario[] = [
  ...Object.entries(protocolScenarios).map(([name, scenario]) => ({
    name,
    extra: EXTRA.has(name),
    run: async (bench: Bench) => [await runProtocol(bench, name, scenario)],
  })),
];

/** @throws Error that lists the names when one is not known */
export const chooseScenarios = (names: readonly string[]): readonly Scenario[] => {
  const unknown = names.filter((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `no scenario ${unknown.join(', ')}; there are ${scenarios.map(({ name }) => name).join(', ')}`,
    );
  }
  return scenarios.filter(({ name, extra }) => (names.length > 0 ? names.includes(name) : !extra));
};
