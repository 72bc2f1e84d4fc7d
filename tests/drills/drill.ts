import type { Postgres } from '../support/postgres.ts';

/** The tools of a drill. */
export interface DrillPlace {
  /** Starts a PostgreSQL server that ends with the drill; `tables` as of `support/postgres.ts`. */
  startPostgres(settings?: Readonly<Record<string, string>>, tables?: string): Promise<Postgres>;
  /** Runs this when the drill ends, whatever its outcome; the last one registered runs first. */
  onEnd(work: () => Promise<unknown>): void;
  /** Whether `--full` asks for the long form, with the volumes and times of the requirement. */
  isFull: boolean;
  /** Reports progress. */
  say(line: string): void;
}

export interface DrillOutcome {
  passed: boolean;
  /** Measured figures, for the table of docs/operating. */
  figures: string;
}

/** A drill that this machine cannot perform, and why. */
export interface SkippedDrill {
  skipped: string;
}

/** One fault, caused on purpose, against real processes and a real PostgreSQL. */
export interface Drill {
  /** Its name on the command line. */
  name: string;
  /** The requirement among those of docs/operating/drills.md; drills of other faults have none. */
  row?: `DR${number}`;
  /** The fault, in one line. */
  breaks: string;
  /** The requirement, with its figures. */
  passes: string;
  /** After this time the drill is stopped, and has failed. */
  limitSeconds: number;
  /** The same for the long form, where it is longer. */
  fullLimitSeconds?: number;
  run(place: DrillPlace): Promise<DrillOutcome | SkippedDrill>;
}
