import { setTimeout as wait } from 'node:timers/promises';

/** Where a process says its lines. Whoever reads them, or does not, neither holds it up nor ends it. */
export interface Output {
  /** Takes a line with its end. One that cannot be written is dropped and counted. */
  write(line: string): void;
  /** How many lines were dropped since the process started. */
  countDropped(): number;
  /** Resolves when what it holds is written, or after `withinMs`. */
  flush(withinMs: number): Promise<void>;
}

export interface OutputOptions {
  /** The line that tells of `count` dropped ones as soon as something can be written again. */
  describe(count: number): string;
  /** How much may wait for a reader, in characters. */
  limit?: number;
}

const LIMIT = 1024 * 1024;

/**
 * Writes to standard output or error. A pipe that nobody reads makes lines wait up to the limit; a pipe that
 * was closed, and a file on a full disk, fail each write by itself, and the next one is tried all the same.
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
  const tell = () => {
    if (untold === 0 || stream.writableLength > limit / 2) return;
    const count = untold;
    untold = 0;
    // The last line before may have been cut short, and must not swallow this one.
    stream.write(`\n${describe(count)}\n`, (error) => {
      if (error) untold += count;
    });
  };
  // Each write hears of its own error; without a listener the first one would end the process.
  stream.on('error', () => undefined);
  return {
    write: (line) => {
      if (stream.writableLength + line.length > limit) drop();
      else stream.write(line, (error) => (error ? drop() : tell()));
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
