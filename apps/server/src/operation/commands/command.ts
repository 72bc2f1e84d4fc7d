import type { Connection } from '../../ground/db/connect.ts';
import type { EventSink } from '../../ground/event/events.ts';
import type { Config } from '../config/config.ts';
import type { Registrations } from '../wiring/registrations.ts';
import type { Given, Options } from './option.ts';

/** What a process lends to a command: an open database whose secrets SECRET_KEY opens, and what is wired over it. */
export interface CommandPlace {
  config: Config;
  connection: Connection;
  events: EventSink;
  /**
   * Brings the schema up to date, notes the migrations and answers their names. Commands call it before they write.
   * A server that runs has done so.
   * @throws StartError for a `dryRun` where migrations are pending.
   */
  prepare(options?: { dryRun: boolean }): Promise<readonly string[]>;
  /** The registrations of the process: a server has them in caches. Called after `prepare`. */
  registrations(): Promise<Registrations>;
}

/** What surrounds a call: the caller may be another process than the one that runs the command. */
export interface CallSurroundings {
  /** Prints a line on standard error, apart from the answer. */
  note(line: string): void;
  /** Prints a line of the answer that people read, before the command is done; with --json, nothing. */
  say(line: string): void;
  /** Where progress goes: standard error of the caller. */
  progress: { isTTY: boolean; write(text: string): void };
  /** The absolute path of a file that the caller named. */
  pathOf(file: string): string;
  /** Aborts when the caller is gone. */
  signal: AbortSignal;
}

/** What a command is run with. */
export interface CommandContext<O extends Options = Options, A extends readonly string[] = readonly string[]>
  extends CommandPlace,
    CallSurroundings {
  /** One for each of the command's `args`, in their order. */
  args: { readonly [K in keyof A]: string };
  /** What the call gave for each of the command's `options`; of a flag, whether it was given. */
  options: Given<O>;
}

export interface CommandResult {
  /** The answer that --json prints. */
  value: unknown;
  /** The answer that people read. */
  lines: readonly string[];
  /** Whether something was refused although the rest was done. */
  refused?: boolean;
}

/** How a command is called. */
interface CommandWords<O extends Options, A extends readonly string[]> {
  /** The words of the command: `client apply`. */
  name: string;
  summary: string;
  /** Names of the arguments, as help shows them. Every argument is required. */
  args?: A;
  options?: O;
  /** A call that makes sense, without `candela`. */
  example: string;
}

/** A command that works on the database of the environment. */
export interface DatabaseCommand<O extends Options = Options, A extends readonly string[] = readonly string[]>
  extends CommandWords<O, A> {
  needs?: 'database';
  /** Whether the command may make a database. A command that made a missing database would hide a wrong setting. */
  makesDatabase?: boolean;
  /** Why the command makes no sense while a server has the embedded database open. */
  notBesideServer?: string;
  /**
   * When the command leaves an entry in the record of staff. Left out: before it writes, if it does. `after`: it shows
   * people, or everything. `if-writable`: after it, and not at all where the database takes no writes. `never`: it reads
   * the record itself, or makes the database that has it.
   */
  recorded?: 'after' | 'if-writable' | 'never';
  /**
   * @throws MisuseError when the words of the call make no sense.
   * @throws Error with a message for the caller when the command is refused.
   */
  run(context: CommandContext<O, A>): Promise<CommandResult>;
}

/** What a command is run with that opens no database. */
interface EnvironmentContext<O extends Options = Options, A extends readonly string[] = readonly string[]>
  extends CallSurroundings,
    Pick<CommandContext<O, A>, 'args' | 'options'> {}

/** A command about the environment of its caller. It runs beside a server too, never in it. */
export interface EnvironmentCommand<
  O extends Options = Options,
  A extends readonly string[] = readonly string[],
> extends CommandWords<O, A> {
  needs: 'environment';
  /** @throws as `run` of a `DatabaseCommand`. */
  run(context: EnvironmentContext<O, A>): Promise<CommandResult>;
}

/** A command of `candela`. */
export type Command = DatabaseCommand | EnvironmentCommand;

/** Declares a command. `run` gets its options and arguments typed by their declarations. */
export const command = <const O extends Options = Options, const A extends readonly string[] = readonly []>(
  declared: DatabaseCommand<O, A>,
): DatabaseCommand => declared;

export const environmentCommand = <
  const O extends Options = Options,
  const A extends readonly string[] = readonly [],
>(
  declared: Omit<EnvironmentCommand<O, A>, 'needs'>,
): EnvironmentCommand => ({ ...declared, needs: 'environment' }) as EnvironmentCommand;

/** The words of a call make no sense: the command line prints the message and exits with 2. */
export class MisuseError extends Error {}
