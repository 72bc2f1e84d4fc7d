import { createReadStream } from 'node:fs';

export interface Line {
  number: number;
  /** undefined: the line is too long, or not UTF-8. */
  text: string | undefined;
  /** How many bytes of the file are read, this line included. */
  endByte: number;
}

const NEWLINE = 0x0a;
/** Far above what a person takes. The bound keeps a file without line ends out of memory. */
const LINE_BYTES_MAX = 65_536;

const decoder = new TextDecoder('utf-8', { fatal: true });

const decode = (bytes: Buffer): string | undefined => {
  if (bytes.length > LINE_BYTES_MAX) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
};

/**
 * Reads a text file line by line, never more than one line and one chunk in memory.
 * @throws Error when the file cannot be read
 */
export async function* readLines(path: string): AsyncGenerator<Line> {
  let number = 0;
  let endByte = 0;
  let rest: Buffer[] = [];
  let restBytes = 0;

  const finish = (last: Buffer, withNewline: boolean): Line => {
    const text = decode(Buffer.concat([...rest, last]));
    number += 1;
    endByte += restBytes + last.length + (withNewline ? 1 : 0);
    rest = [];
    restBytes = 0;
    return { number, text, endByte };
  };

  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, start)) {
      yield finish(chunk.subarray(start, at), true);
      start = at + 1;
    }
    const tail = chunk.subarray(start);
    // A line that is too long already is not kept, only its length.
    if (restBytes <= LINE_BYTES_MAX) rest.push(tail);
    restBytes += tail.length;
  }
  if (restBytes > 0) yield finish(Buffer.alloc(0), false);
}
