import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** The scenarios to run; empty runs the usual scenarios. */
  names: readonly string[];
  json: boolean;
  full: boolean;
  rounds: number;
  /** The approximate duration of one round of one server. */
  seconds: number;
  /** The share of the usual that is made beforehand, warmed up with and counted; figures of less than all are worth nothing. */
  scale: number;
  /** Concurrent requests. */
  concurrency: number;
  /** Flows before the memory is measured. */
  flows: number;
  /** Live tokens of the large side of `growth`, and expired rows of `sweep`. */
  tokens: number;
  /** The directory for CPU profiles of the measured servers; undefined makes no profiles. */
  profile: string | undefined;
  /** Another checkout of Candela to compare with, in place of the engine over memory. */
  beside: string | undefined;
}

const positive = (name: string, value: string | undefined, fallback: number): number => {
  const number = value === undefined ? fallback : Number(value);
  if (Number.isFinite(number) && number > 0) return number;
  throw new Error(`--${name} must be a number above 0, not "${value}"`);
};

/**
 * Reads the command line of the bench.
 * @throws Error with the name of an invalid flag
 */
export const readOptions = (args: readonly string[]): BenchOptions => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      scale: { type: 'string' },
      concurrency: { type: 'string' },
      flows: { type: 'string' },
      tokens: { type: 'string' },
      profile: { type: 'string' },
      beside: { type: 'string' },
    },
  });
  const { full } = values;
  return {
    names: positionals,
    json: values.json,
    full,
    rounds: Math.ceil(positive('rounds', values.rounds, full ? 11 : 5)),
    seconds: positive('seconds', values.seconds, full ? 4 : 1),
    scale: positive('scale', values.scale, 1),
    concurrency: Math.ceil(positive('concurrency', values.concurrency, 16)),
    flows: Math.ceil(positive('flows', values.flows, 10_000)),
    tokens: Math.ceil(positive('tokens', values.tokens, full ? 10_000_000 : 1_000_000)),
    profile: values.profile,
    beside: values.beside,
  };
};

/** How many of a usual number: see `scale`. */
export const scaled = ({ scale }: BenchOptions, usual: number): number => Math.ceil(usual * scale);
