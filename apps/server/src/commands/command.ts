import type { Config } from '../config/config.ts';
import type { Connection } from '../db/connect.ts';
import type { EventSink } from '../event/events.ts';

/** What a command is run with: an open database whose secrets SECRET_KEY opens, and the words of the call. */
export interface CommandContext {
  config: Config;
  connection: Connection;
  events: EventSink;
  /** One for each of the command's `args`, in their order. */
  args: readonly string[];
  /** The flags of the call, out of the command's `flags`. */
  flags: ReadonlySet<string>;
  /** Prints a line on standard error, apart from the answer. */
  note(line: string): void;
  /**
   * Brings the schema up to date, notes the migrations and answers their names. Commands call it before they write.
   * @throws StartError for a `dryRun` where migrations are pending.
   */
  prepare(options?: { dryRun: boolean }): Promise<readonly string[]>;
}

export interface CommandResult {
  /** The answer that --json prints. */
  value: unknown;
  /** The answer that people read. */
  lines: readonly string[];
  /** Whether something was refused although the rest was done. */
  refused?: boolean;
}

/** A command of `candela`. */
export interface Command {
  /** The words of the command: `client apply`. */
  name: string;
  summary: string;
  /** Names of the arguments, as help shows them. Every argument is required. */
  args?: readonly string[];
  /** Options, without their dashes, and what each does. They take no values. */
  flags?: Readonly<Record<string, string>>;
  /** A call that makes sense, without `candela`. */
  example: string;
  /** Whether the command may make a database. A command that made a missing database would hide a wrong setting. */
  makesDatabase?: boolean;
  run(context: CommandContext): Promise<CommandResult>;
}
