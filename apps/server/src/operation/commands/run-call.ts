import {
  type CallSurroundings,
  type Command,
  type CommandPlace,
  type CommandResult,
  type DatabaseCommand,
  MisuseError,
} from './command.ts';
import { parseCommandLine } from './command-line.ts';
import { describeRefusal } from './describe-refusal.ts';
import { asFileRefusal } from './file-refusal.ts';
import { type OsCaller, readOsCaller } from './os-caller.ts';
import type { RecordedCall } from './record-command.ts';

/** A call of `candela`, wherever the caller is. */
export interface CommandCall extends Pick<CallSurroundings, 'pathOf' | 'signal'> {
  /** The words of the call, without the programs. */
  argv: readonly string[];
  /** Writes to the caller's standard output. */
  writeOut(text: string): void;
  /** Writes to the caller's standard error. */
  writeError(text: string): void;
  /** Whether the caller's standard error is a terminal. */
  isTerminal: boolean;
  /** Who calls; by default the user of this process. */
  by?: OsCaller | undefined;
}

/** Opens what a command needs, lends it to `work`, and closes it. */
export type LendPlace = (
  command: DatabaseCommand,
  surroundings: CallSurroundings,
  work: (place: CommandPlace) => Promise<CommandResult>,
) => Promise<CommandResult>;

/** 0: done. 1: refused; standard error says why. 2: misused. */
export type ExitStatus = 0 | 1 | 2;

const printed = ({ value, lines }: CommandResult, json: boolean): string =>
  json ? `${JSON.stringify(value, null, 2)}\n` : lines.map((line) => `${line}\n`).join('');

/** Runs a command in a place that records it. What opens a database is loaded where one is opened. */
const runRecorded = async (
  lent: CommandPlace,
  call: RecordedCall,
  surroundings: CallSurroundings,
): Promise<CommandResult> => {
  const { recordingPlace } = await import('./record-command.ts');
  const { command, args, options } = call;
  const { place, done, refused } = recordingPlace(lent, call, surroundings.note);
  try {
    const result = await command.run({ ...place, ...surroundings, args, options });
    await done();
    return result;
  } catch (error) {
    await refused();
    throw error;
  }
};

/**
 * Parses a call, runs it, and prints its answer or what is wrong with it.
 * @param onFault hears of an error that ended the command.
 */
export const runCall = async (
  call: CommandCall,
  commands: readonly Command[],
  lend: LendPlace,
  onFault: (error: unknown, command: Command) => void = () => undefined,
): Promise<ExitStatus> => {
  const parsed = parseCommandLine(call.argv, commands);
  if (parsed.kind === 'help') {
    call.writeOut(parsed.text);
    return 0;
  }
  if (parsed.kind === 'misuse') {
    call.writeError(parsed.text);
    return 2;
  }
  const { command, args, options, json, as } = parsed;
  let named: string | undefined;
  const note = (line: string) => call.writeError(`${line}\n`);
  const surroundings: CallSurroundings = {
    note,
    say: (line) => {
      if (!json) call.writeOut(`${line}\n`);
    },
    progress: { isTTY: call.isTerminal, write: call.writeError },
    pathOf: (file) => {
      named = call.pathOf(file);
      return named;
    },
    signal: call.signal,
  };
  try {
    const result = await (command.needs === 'environment'
      ? command.run({ ...surroundings, args, options })
      : lend(command, surroundings, (place) =>
          runRecorded(place, { command, args, options, as, by: call.by ?? readOsCaller() }, surroundings),
        ));
    call.writeOut(printed(result, json));
    return result.refused ? 1 : 0;
  } catch (thrown) {
    const error = named === undefined ? thrown : asFileRefusal(thrown, named);
    onFault(error, command);
    note(describeRefusal(error));
    return error instanceof MisuseError ? 2 : 1;
  }
};
