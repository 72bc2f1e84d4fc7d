import { parseArgs } from 'node:util';
import { release } from '../../ground/release.ts';
import type { Command } from './command.ts';
import { helpOf, helpOfAll, usageOf } from './command-help.ts';
import { commonOptions, type GivenValue, type Option, type Options } from './option.ts';

/** A call of `candela`, parsed. */
export type Call =
  | {
      kind: 'run';
      command: Command;
      args: readonly string[];
      /** What was given for each option that the command declares. */
      options: Readonly<Record<string, GivenValue>>;
      json: boolean;
      /** Who the caller says to be, for the record. */
      as: string | undefined;
    }
  | { kind: 'help'; text: string }
  /** The call makes no sense; `text` says why. */
  | { kind: 'misuse'; text: string };

/** One option as it stands in a call. */
interface Occurrence {
  name: string;
  /** As it was typed, with its dashes. */
  typed: string;
  value: string | undefined;
  /** Whether the value stands in the same word, after `=`. */
  inline: boolean;
}

/** Splits words into arguments and options, by what the command declares. Faults are found later. */
const split = (words: readonly string[], options: Options) => {
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value, short }]) => [
        name,
        { type: value ? 'string' : 'boolean', ...(short && { short }) },
      ]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  return {
    args: tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : [])),
    given: tokens.flatMap((token): Occurrence[] =>
      token.kind === 'option'
        ? [
            {
              name: token.name,
              typed: token.rawName,
              value: token.value,
              inline: token.inlineValue === true,
            },
          ]
        : [],
    ),
  };
};

/** What is wrong with one option of the call; undefined if nothing is. */
const faultOf = (
  { typed, value, inline }: Occurrence,
  option: Option | undefined,
  isSecond: boolean,
): string | undefined => {
  if (!option) return undefined;
  if (!option.value) return value === undefined ? undefined : `${typed} takes no value`;
  // A word that begins with a dash is most probably the next option.
  if (value === undefined || (!inline && value.startsWith('-')))
    return `${typed} needs ${option.value}${value === undefined ? '' : `; one that begins with - is written ${typed}=${value}`}`;
  if (value === '') return `${typed} needs ${option.value}`;
  return isSecond && !option.repeated ? `${typed} is given twice` : undefined;
};

const findFault = (
  command: Command,
  args: readonly string[],
  given: readonly Occurrence[],
): string | undefined => {
  const { name, args: needed = [], options = {} } = command;
  const known = { ...options, ...commonOptions };
  const unknown = given.filter((option) => !Object.hasOwn(known, option.name)).map(({ typed }) => typed);
  if (unknown.length > 0) return `${name} has no option ${unknown.join(', ')}`;
  for (const [index, option] of given.entries()) {
    const isSecond = given.findIndex((other) => other.name === option.name) < index;
    const fault = faultOf(option, known[option.name], isSecond);
    if (fault) return fault;
  }
  const missing = [
    ...needed.slice(args.length),
    ...Object.entries(options).flatMap(([option, { value, required }]) =>
      required && !given.some((one) => one.name === option) ? [`--${option}${value ? ` ${value}` : ''}`] : [],
    ),
  ];
  if (missing.length > 0) return `${name} needs ${missing.join(' and ')}`;
  if (args.length > needed.length)
    return `${name} does not know what to do with ${args.slice(needed.length).join(' ')}`;
  return undefined;
};

/** What the call gave for each option that the command declares. */
const valuesOf = (options: Options, given: readonly Occurrence[]): Record<string, GivenValue> =>
  Object.fromEntries(
    Object.entries(options).map(([name, { value, repeated }]) => {
      const found = given.filter((option) => option.name === name);
      if (!value) return [name, found.length > 0];
      const values = found.flatMap((option) => (option.value === undefined ? [] : [option.value]));
      return [name, repeated ? values : values[0]];
    }),
  );

const misuse = (...lines: string[]): Call => ({ kind: 'misuse', text: `${lines.join('\n')}\n` });

const callOf = (command: Command, argv: readonly string[]): Call => {
  const { options = {} } = command;
  const { args: words, given } = split(argv, { ...options, ...commonOptions });
  const args = words.slice(command.name.split(' ').length);
  const fault = findFault(command, args, given);
  if (fault) return misuse(fault, usageOf(command));
  const json = given.some(({ name }) => name === 'json');
  const as = given.find(({ name }) => name === 'as')?.value;
  return { kind: 'run', command, args, options: valuesOf(options, given), json, as };
};

/** Parses a call of `candela`; `argv` leaves out the programs. Options with a value follow the command's words. */
export const parseCommandLine = (argv: readonly string[], commands: readonly Command[]): Call => {
  if (argv.length === 1 && argv[0] === '--version') return { kind: 'help', text: `${release}\n` };
  const { args: positionals, given } = split(argv, commonOptions);
  const asksHelp =
    positionals[0] === 'help' || argv.length === 0 || given.some(({ name }) => name === 'help');
  const words = positionals[0] === 'help' ? positionals.slice(1) : positionals;
  const command = [2, 1]
    .map((count) => words.slice(0, count).join(' '))
    .map((name) => commands.find((candidate) => candidate.name === name))
    .find(Boolean);
  if (command) return asksHelp ? { kind: 'help', text: helpOf(command) } : callOf(command, argv);
  const [group] = words;
  const grouped = commands.filter(({ name }) => name.startsWith(`${group} `));
  if (group === undefined && asksHelp) return { kind: 'help', text: helpOfAll(commands) };
  if (grouped.length > 0 && asksHelp) return { kind: 'help', text: helpOfAll(grouped, group) };
  const unknown = words.length > 0 ? `there is no command "${words.join(' ')}"` : 'no command was given';
  return misuse(`${unknown}: see candela ${grouped.length > 0 ? `${group} ` : ''}--help`);
};
