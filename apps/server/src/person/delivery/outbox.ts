import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Message, MessageSender } from './message.ts';

export interface OutboxOptions {
  dataDir: string;
  now: () => Date;
  /** Shows a line to whoever started the server. */
  print: (line: string) => void;
}

const describe = ({ channel, to, purpose, code, text }: Message) =>
  `${channel} to ${to} (${purpose}): ${code ?? text.replaceAll(/\s+/g, ' ')}`;

/** The driver for messages without a gateway: prints them and appends them to `dataDir`/outbox.jsonl. */
export const createOutbox = ({ dataDir, now, print }: OutboxOptions): MessageSender => ({
  send: async (message) => {
    const { channel, to, locale, purpose, code, subject, text } = message;
    const line = JSON.stringify({
      at: now().toISOString(),
      channel,
      to,
      locale,
      purpose,
      code,
      subject,
      text,
    });
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    // One write in append mode: lines of several processes do not mix.
    await appendFile(join(dataDir, 'outbox.jsonl'), `${line}\n`, { mode: 0o600 });
    print(describe(message));
  },
});
