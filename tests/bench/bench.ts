import { startPostgres } from '../support/postgres.ts';
import { type Cores, divideCores } from './cores.ts';
import type { BenchOptions } from './options.ts';
import { type StatementCounter, startStatementCounter } from './statement-counter.ts';
import { type CandelaSubject, type Subject, startCandela, startReference } from './subject.ts';

/** A Candela with its statements counted; never timed. */
interface CountedSubject {
  subject: CandelaSubject;
  counter: StatementCounter;
}

/** The server that the databases are on. */
interface BenchPostgres {
  version: string;
  /** A database without tables, or with those of Candela. */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** What a bench runs on. */
export interface Ground {
  cores: Cores;
  postgres: BenchPostgres;
  /** Whether one Candela stands for all: what it does is counted, and not worth timing. */
  shared?: boolean;
}

/** What scenarios run on: the database, and servers that start at their first use. */
export interface Bench {
  options: BenchOptions;
  cores: Cores;
  postgres: BenchPostgres;
  candela(): Promise<CandelaSubject>;
  /** The server that Candela is compared with: the engine over memory, or the checkout named by `--beside`. */
  reference(): Promise<Subject>;
  counted(): Promise<CountedSubject>;
  /** Another Candela, on a separate database, unless servers are shared. */
  another(database: string, env?: Record<string, string>): Promise<CandelaSubject>;
  close(): Promise<void>;
}

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** A PostgreSQL of its own, and a core that is the server's alone. */
const prepareGround = async (): Promise<Ground> => ({
  cores: divideCores(),
  postgres: await startPostgres(),
});

export const openBench = async (options: BenchOptions, ground?: Ground): Promise<Bench> => {
  const { cores, postgres, shared = false } = ground ?? (await prepareGround());
  const closing: (() => Promise<void>)[] = [() => postgres.stop()];
  const closedLater = <T extends { close(): Promise<void> }>(opened: T): T => {
    closing.unshift(() => opened.close());
    return opened;
  };
  const { profile, beside } = options;
  const flags = (name: string) =>
    profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`, `--cpu-prof-name=${name}.cpuprofile`] : [];
  const start = async (database: string, env: Record<string, string> = {}) =>
    closedLater(
      await startCandela(cores, await postgres.createDatabase(database), { flags: flags(database), env }),
    );
  const startBeside = async (checkout: string): Promise<Subject> =>
    startCandela(cores, await postgres.createDatabase('beside'), { flags: flags('beside'), checkout });

  const counted = once(async () => {
    const counter = closedLater(await startStatementCounter(await postgres.createDatabase('counted')));
    return { counter, subject: closedLater(await startCandela(cores, counter.url)) };
  });
  const common = once(async () => ({ ...(await counted()).subject, close: async () => undefined }));

  return {
    options,
    cores,
    postgres,
    another: (database, env) => (shared ? common() : start(database, env)),
    candela: once(() => (shared ? common() : start('candela'))),
    reference: once(async () =>
      closedLater(await (beside ? startBeside(beside) : startReference(cores, flags('reference')))),
    ),
    counted,
    close: async () => {
      for (const close of closing.splice(0)) await close().catch(() => undefined);
    },
  };
};
