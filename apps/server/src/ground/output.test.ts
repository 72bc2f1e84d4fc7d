import { Writable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { createOutput } from './output.ts';

/** A stream that holds its lines until `release`, and then writes them or fails. */
const createHeld = () => {
  const written: string[] = [];
  const waiting: { text: string; done: (error?: Error) => void }[] = [];
  const stream: Writable = new Writable({
    decodeStrings: false,
    write: (text, _, done) => void waiting.push({ text, done }),
    // The streams of a process stay open after an error.
    destroy: (error, done) => {
      done(error);
      (stream as unknown as { _undestroy(): void })._undestroy();
    },
  });
  const release = async (error?: Error) => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (!error) written.push(next.text);
      next.done(error);
      await new Promise(setImmediate);
    }
  };
  const output = createOutput(stream as unknown as NodeJS.WriteStream, {
    describe: (count) => `${count} dropped`,
    limit: 20,
  });
  return { output, release, written };
};

test('unread lines wait up to a limit; further lines are dropped, counted and reported', async () => {
  const { output, release, written } = createHeld();
  for (let line = 0; line < 6; line += 1) output.write(`line ${line}\n`);
  expect(output.countDropped()).toBe(4);
  await release();
  expect(written).toEqual(['line 0\n', 'line 1\n', '\n4 dropped\n']);
  output.write('line 6\n');
  await release();
  expect(written.at(-1)).toBe('line 6\n');
  expect(output.countDropped()).toBe(4);
});

test('lines that fail to be written are dropped, counted and reported with the next line written', async () => {
  const { output, release, written } = createHeld();
  output.write('line 0\n');
  await release(new Error('ENOSPC'));
  output.write('line 1\n');
  await release(new Error('ENOSPC'));
  expect(output.countDropped()).toBe(2);
  output.write('line 2\n');
  await release();
  expect(written).toEqual(['line 2\n', '\n2 dropped\n']);
});

test('a flush waits for the held lines, and not for ever', async () => {
  const { output, release, written } = createHeld();
  output.write('line 0\n');
  const flushed = vi.fn();
  const flush = output.flush(60_000).then(flushed);
  await new Promise(setImmediate);
  expect(flushed).not.toHaveBeenCalled();
  await release();
  await flush;
  expect(written).toContain('line 0\n');

  output.write('line 1\n');
  await output.flush(1);
  expect(written).not.toContain('line 1\n');
});
