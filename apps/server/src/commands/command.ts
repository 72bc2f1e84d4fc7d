import type { Config } from '../config/config.ts';
import type { Connection } from '../db/connect.ts';
import type { EventSink } from '../event/events.ts';

/** What a command works with: an open database that SECRET_KEY opens. */
export interface CommandContext {
  config: Config;
  connection: Connection;
  events: EventSink;
  /** In the order of the command's `args`; each is there. */
  args: readonly string[];
  /** Those that were given, of the command's `flags`. */
  flags: ReadonlySet<string>;
  /** Tells on standard error what is not the answer. */
  note(line: string): void;
  /**
   * Brings the schema up to date, tells so and answers the migrations; to be called before anything is written.
   * @throws StartError for a `dryRun` where there is anything to do.
   */
  prepare(options?: { dryRun: boolean }): Promise<readonly string[]>;
}

export interface CommandResult {
  /** The answer as --json prints it. */
  value: unknown;
  /** The answer as people read it. */
  lines: readonly string[];
  /** Whether something was refused although the rest was done. */
  refused?: boolean;
}

/** One command of `candela`. */
export interface Command {
  /** Its words: `client apply`. */
  name: string;
  summary: string;
  /** What follows its name, as help shows it: all of them needed. */
  args?: readonly string[];
  /** Options without a value, without their dashes, and what each does. */
  flags?: Readonly<Record<string, string>>;
  /** What follows `candela` in a call that could be meant. */
  example: string;
  /** Whether it may make a database where there is none: others would only hide that it is the wrong one. */
  makesDatabase?: boolean;
  run(context: CommandContext): Promise<CommandResult>;
}
