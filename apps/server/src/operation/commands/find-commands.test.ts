import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { findCommands } from './find-commands.ts';

test('a call finds its command and all others of its first word, and nothing else is loaded for it', async () => {
  for (const { name } of commands) {
    const words = name.split(' ');
    const found = await findCommands(words);
    expect(found.length, name).toBeLessThan(commands.length);
    expect(found, name).toEqual(
      expect.arrayContaining(commands.filter((command) => command.name.split(' ')[0] === words[0])),
    );
  }
});

test.each([['help'], ['--help'], ['nonsense'], ['constructor'], []])('%s: all commands', async (...words) => {
  expect(await findCommands(words)).toBe(commands);
});
