import { setTimeout as wait } from 'node:timers/promises';

/** The lines that a process prints. A reader that is slow or gone neither blocks nor ends the process. */
export interface Output {
  /** Writes a line, given with its line end. A line that cannot be written is dropped and counted. */
  write(line: string): void;
  /** How many lines were dropped since the process started. */
  countDropped(): number;
  /** Resolves when all lines are written, or after `withinMs`. */
  flush(withinMs: number): Promise<void>;
}

export interface OutputOptions {
  /** The line that reports `count` dropped lines, once lines can be written again. */
  describe(count: number): string;
  /** How many characters may wait for a reader. */
  limit?: number;
}

const LIMIT = 1024 * 1024;

/**
 * Writes to standard output or error. Where nobody reads a pipe, lines wait up to the limit. Where a pipe is closed
 * or a disk is full, each write fails by itself, and the next one is tried all the same.
 */
export const createOutput = (
  stream: Pick<NodeJS.WriteStream, 'write' | 'on' | 'writableLength'>,
  { describe, limit = LIMIT }: OutputOptions,
): Output => {
  let dropped = 0;
  let untold = 0;
  const drop = () => {
    dropped += 1;
    untold += 1;
  };
  const report = () => {
    if (untold === 0 || stream.writableLength > limit / 2) return;
    const count = untold;
    untold = 0;
    // The last line before may have been cut short, and must not swallow this one.
    stream.write(`\n${describe(count)}\n`, (error) => {
      if (error) untold += count;
    });
  };
  // Each write reports its own error; without this listener the first one would end the process.
  stream.on('error', () => undefined);
  return {
    write: (line) => {
      if (stream.writableLength + line.length > limit) drop();
      else stream.write(line, (error) => (error ? drop() : report()));
    },
    countDropped: () => dropped,
    flush: async (withinMs) => {
      const written = new AbortController();
      const { signal } = written;
      stream.write('', () => written.abort());
      await wait(withinMs, undefined, { signal }).catch(() => undefined);
    },
  };
};
