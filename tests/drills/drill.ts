import type { Postgres } from '../support/postgres.ts';

/** What a drill works with. */
export interface DrillPlace {
  /** Starts a PostgreSQL server that ends with the drill. */
  startPostgres(settings?: Readonly<Record<string, string>>): Promise<Postgres>;
  /** Does this when the drill ends, whatever came of it; the last one told is done first. */
  onEnd(work: () => Promise<unknown>): void;
  /** Tells how far it is. */
  say(line: string): void;
}

export interface DrillOutcome {
  passed: boolean;
  /** Figures as measured, for the table of docs/operating. */
  figures: string;
}

/** One fault, made on purpose, against real processes and a real PostgreSQL. */
export interface Drill {
  /** Its name on the command line. */
  name: string;
  /** What is broken, in one line. */
  breaks: string;
  /** What has to hold, with its figures. */
  passes: string;
  /** After so long it is ended, and has failed. */
  limitSeconds: number;
  run(place: DrillPlace): Promise<DrillOutcome>;
}
