import { readFile } from 'node:fs/promises';
import { expect, expectTypeOf, test } from 'vitest';
import { command } from './command.ts';
import { parseCommandLine } from './command-line.ts';

const make = command({
  name: 'lamp make',
  summary: 'make a lamp',
  args: ['ROOM'],
  options: {
    name: { value: 'NAME', required: true, does: 'what people call it' },
    color: { value: 'COLOR', repeated: true, does: 'a color that it has' },
    watts: { value: 'NUMBER', does: 'how bright it is' },
    on: { does: 'switch it on' },
  },
  example: 'lamp make kitchen --name "Over the table"',
  run: async ({ args, options }) => {
    expectTypeOf(args).toEqualTypeOf<readonly [string]>();
    expectTypeOf(options).toEqualTypeOf<{
      readonly name: string;
      readonly color: readonly string[];
      readonly watts: string | undefined;
      readonly on: boolean;
    }>();
    return { value: null, lines: [] };
  },
});
const list = command({
  name: 'lamp list',
  summary: 'the lamps',
  example: 'lamp list',
  run: async () => ({ value: [], lines: [] }),
});

const parse = (...argv: string[]) => parseCommandLine(argv, [make, list]);
const usage =
  'usage: candela lamp make ROOM --name NAME [--color COLOR]... [--watts NUMBER] [--on] [--json]\n';

test('options with values follow the words of the command, before, between and after its arguments', () => {
  const whole = { kind: 'run', command: make, args: ['hall'], json: true };
  const options = { name: 'Over the door', color: ['red', 'a=b'], watts: '-4', on: true };
  expect(
    parse(
      ...['lamp', 'make', '--color', 'red', 'hall', '--name=Over the door', '--on'],
      ...['--watts=-4', '--color=a=b', '--json'],
    ),
  ).toEqual({ ...whole, options });
  expect(parse('--json', 'lamp', 'make', 'hall', '--name', 'x')).toEqual({
    ...whole,
    options: { name: 'x', color: [], watts: undefined, on: false },
  });
  expect(parse('lamp', 'list', '--json')).toEqual({
    kind: 'run',
    command: list,
    args: [],
    options: {},
    json: true,
  });
});

test.each([
  [['hall'], 'lamp make needs --name NAME'],
  [[], 'lamp make needs ROOM and --name NAME'],
  [['hall', '--name'], '--name needs NAME'],
  [['hall', '--name='], '--name needs NAME'],
  [['hall', '--name', ''], '--name needs NAME'],
  [['hall', '--name', '--on'], '--name needs NAME; one that begins with - is written --name=--on'],
  [['hall', '--name', 'x', '--name', 'y'], '--name is given twice'],
  [['hall', '--name', 'x', '--on=yes'], '--on takes no value'],
  [['hall', '--name', 'x', '--json=yes'], '--json takes no value'],
  [['hall', '--name', 'x', '--colour', 'red', '-v'], 'lamp make has no option --colour, -v'],
  [['hall', 'attic', '--name', 'x'], 'lamp make does not know what to do with attic'],
  [['hall', '--name', 'x', '--__proto__', 'y'], 'lamp make has no option --__proto__'],
])('lamp make %j is misused, and answered with what is wrong and the usage', (argv, text) => {
  expect(parse('lamp', 'make', ...argv)).toEqual({ kind: 'misuse', text: `${text}\n${usage}` });
});

test('help shows each option with its value, and what it does', () => {
  const help = parse('lamp', 'make', '--help');
  expect(help).toMatchObject({ kind: 'help', text: expect.stringContaining('\n  --name NAME ') });
  expect(help).toMatchObject({ text: expect.stringMatching(/\n {2}\[--color COLOR\]\.\.\. +a color/) });
  expect(parse('help', 'lamp', 'make')).toEqual(help);
  expect(parse('lamp', 'make', 'hall', '--name', 'x', '--help')).toEqual(help);
  expect(parse('lamp', 'make', '-h')).toEqual(help);
  expect(parse('-h')).toEqual(parse('--help'));
  expect(parse('-h')).toMatchObject({ kind: 'help', text: expect.stringContaining('lamp list') });
});

test('--version prints the release', async () => {
  const manifest = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  expect(parse('--version')).toEqual({ kind: 'help', text: `${JSON.parse(manifest).version}\n` });
  expect(parse('lamp', 'list', '--version')).toMatchObject({ kind: 'misuse' });
});
