import { parseArgs } from 'node:util';
import type { Command } from './command.ts';

/** A call of `candela`, parsed. */
export type Call =
  | { kind: 'run'; command: Command; args: readonly string[]; flags: ReadonlySet<string>; json: boolean }
  | { kind: 'help'; text: string }
  /** The call makes no sense; `text` says why. */
  | { kind: 'misuse'; text: string };

const COMMON = {
  json: 'print the answer as JSON',
  help: 'say what it does, with an example',
};

const ENVIRONMENT = `The database is that of the environment (DATABASE_URL, else DATA_DIR), and is named on standard error.
A command needs the SECRET_KEY of the server. The embedded database is open to one process at a time:
stop the server first.`;

const usageOf = ({ name, args = [] }: Command) => [name, ...args].join(' ');

const table = (rows: readonly (readonly [string, string])[]) => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
};

const flagRows = (flags: Readonly<Record<string, string>>) =>
  Object.entries(flags).map(([flag, does]) => [`--${flag}`, does] as const);

const helpOf = (command: Command) => `candela ${usageOf(command)} [options]

${command.summary}

${table(flagRows({ ...command.flags, ...COMMON }))}

example:
  npx pnpm@12 candela ${command.example}

${ENVIRONMENT}
`;

const helpOfAll = (commands: readonly Command[], group?: string) => `candela ${group ?? '<command>'}${
  group ? ' <command>' : ''
} [options]

${table(commands.map((command) => [usageOf(command), command.summary] as const))}

every command: --json, --help

example:
  npx pnpm@12 candela ${commands[0]?.example}

${ENVIRONMENT}
`;

const misuse = (...lines: string[]): Call => ({ kind: 'misuse', text: `${lines.join('\n')}\n` });

const call = (command: Command, words: readonly string[], given: Record<string, unknown>): Call => {
  const { args = [], flags = {} } = command;
  const usage = `usage: candela ${usageOf(command)}${Object.keys({ ...flags, json: '' })
    .map((flag) => ` [--${flag}]`)
    .join('')}`;
  const unknown = Object.keys(given).filter((flag) => !Object.hasOwn({ ...flags, ...COMMON }, flag));
  if (unknown.length > 0) {
    const names = unknown.map((flag) => (flag.length > 1 ? `--${flag}` : `-${flag}`));
    return misuse(`${command.name} has no option ${names.join(', ')}`, usage);
  }
  const valued = Object.keys(given).find((flag) => given[flag] !== true);
  if (valued) return misuse(`--${valued} takes no value`, usage);
  const missing = args[words.length];
  if (missing) return misuse(`${command.name} needs ${missing}`, usage);
  if (words.length > args.length)
    return misuse(
      `${command.name} does not know what to do with ${words.slice(args.length).join(' ')}`,
      usage,
    );
  const { json, ...rest } = given;
  return { kind: 'run', command, args: words, flags: new Set(Object.keys(rest)), json: json === true };
};

/** Parses a call of `candela`; `argv` leaves out the programs. */
export const parseCommandLine = (argv: readonly string[], commands: readonly Command[]): Call => {
  // Not strict: each command reports the options that it does not know.
  const { positionals, values } = parseArgs({ args: [...argv], allowPositionals: true, strict: false });
  const asksHelp = values.help === true || positionals[0] === 'help' || argv.length === 0;
  const words = positionals[0] === 'help' ? positionals.slice(1) : positionals;
  const command = [2, 1]
    .map((count) => words.slice(0, count).join(' '))
    .map((name) => commands.find((candidate) => candidate.name === name))
    .find(Boolean);
  if (command && asksHelp) return { kind: 'help', text: helpOf(command) };
  if (command) return call(command, words.slice(command.name.split(' ').length), values);
  const [group] = words;
  const grouped = commands.filter(({ name }) => name.startsWith(`${group} `));
  if (group === undefined && asksHelp) return { kind: 'help', text: helpOfAll(commands) };
  if (grouped.length > 0 && asksHelp) return { kind: 'help', text: helpOfAll(grouped, group) };
  const unknown = words.length > 0 ? `there is no command "${words.join(' ')}"` : 'no command was given';
  return misuse(`${unknown}: see candela ${grouped.length > 0 ? `${group} ` : ''}--help`);
};
