import type { Command } from './command.ts';
import { commonOptions, type Options, showOption } from './option.ts';

const ENVIRONMENT = `The database is that of the environment (DATABASE_URL, else DATA_DIR), and is named on standard error.
A command needs the SECRET_KEY of the server. While a server has the embedded database open, the command runs in
that server, with the settings and the SECRET_KEY of the server: of the caller's environment only DATA_DIR counts.`;

const OF_CALLER = `The settings are those of the caller's environment, also while a server runs.`;

/** Where these commands work, and by whose settings. */
const placeOf = (commands: readonly Command[]): string => {
  const ofCaller = commands.filter(({ needs }) => needs === 'environment').map(({ name }) => name);
  if (ofCaller.length === commands.length) return OF_CALLER;
  return ofCaller.length === 0
    ? ENVIRONMENT
    : `${ENVIRONMENT}\nNot so ${ofCaller.join(' and ')}: their settings are those of the caller's environment alone.`;
};

const wordsOf = ({ name, args = [] }: Command) => [name, ...args].join(' ');

/** The line that shows how a command is called. */
export const usageOf = (command: Command): string =>
  [
    `usage: candela ${wordsOf(command)}`,
    ...Object.entries(command.options ?? {}).map(([name, option]) => showOption(name, option)),
    '[--json]',
  ].join(' ');

const table = (rows: readonly (readonly [string, string])[]) => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
};

const optionRows = (options: Options) =>
  Object.entries(options).map(([name, option]) => [showOption(name, option), option.does] as const);

export const helpOf = (command: Command): string => `candela ${wordsOf(command)} [options]

${command.summary}

${table(optionRows({ ...command.options, ...commonOptions }))}

example:
  npx pnpm@12 candela ${command.example}

${placeOf([command])}
`;

/** The help of all commands, or of those of a group. */
export const helpOfAll = (
  commands: readonly Command[],
  group?: string,
): string => `candela ${group ?? '<command>'}${group ? ' <command>' : ''} [options]

${table(commands.map((command) => [wordsOf(command), command.summary] as const))}

every command: --json, --as NAME, --help (-h)
the release: candela --version

example:
  npx pnpm@12 candela ${commands[0]?.example}

${placeOf(commands)}
`;
