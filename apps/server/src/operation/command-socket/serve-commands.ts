import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import { AppError } from '../../ground/errors.ts';
import type { Logger } from '../../ground/logger.ts';
import { StartError } from '../../ground/start-error.ts';
import { type Command, MisuseError } from '../commands/command.ts';
import { type LendPlace, runCall } from '../commands/run-call.ts';
import { type Frame, SentCall } from './frames.ts';
import { makeSocketPlace, removeSocketPlace } from './socket-place.ts';

export interface CommandSocketOptions {
  /** Whose database this process has locked. */
  dataDir: string;
  commands: readonly Command[];
  lend: LendPlace;
  logger: Logger;
}

export interface CommandSocket {
  /** Takes no more calls, and waits for those that run; those that hear of it end early. */
  close(): Promise<void>;
}

/** Errors that tell the caller what to do; any other is a fault of the server. */
const expected = [AppError, MisuseError, StartError];

/** How long a call that does not hear of the end may go on. */
const FINISH_MS = 5_000;

/**
 * Runs the commands of callers in this process, which has the embedded database open: the callers could not open it.
 * A call is a request of HTTP at a Unix socket, and its answer a stream of lines of JSON. The permissions of the
 * socket and of its directory are the only authentication: who may connect may also read `dataDir`.
 * @throws Error where the system gives no such socket.
 */
export const serveCommands = async (options: CommandSocketOptions): Promise<CommandSocket> => {
  const { dataDir, commands, lend, logger } = options;
  const stopping = new AbortController();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { argv, cwd, isTerminal, by } = z.parse(SentCall, await json(request));
    const gone = new AbortController();
    response.once('close', () => gone.abort(new StartError('the caller is gone')));
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    const send = (frame: Frame) => {
      if (!response.destroyed) response.write(`${JSON.stringify(frame)}\n`);
    };
    const call = {
      argv,
      pathOf: (file: string) => resolve(cwd, file),
      signal: AbortSignal.any([gone.signal, stopping.signal]),
      writeOut: (out: string) => send({ out }),
      writeError: (error: string) => send({ error }),
      isTerminal,
      by,
    };
    const exit = await runCall(call, commands, lend, (err, { name }) => {
      if (!expected.some((kind) => err instanceof kind))
        logger.warn({ err, command: name }, 'a command failed');
    });
    send({ exit });
    response.end();
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((err: unknown) => {
      logger.warn({ err }, 'a call of a command could not be answered');
      response.destroy();
    });
  });
  const path = await makeSocketPlace(dataDir);
  try {
    await once(server.listen(path), 'listening');
    await chmod(path, 0o600);
  } catch (error) {
    server.close();
    await removeSocketPlace(dataDir);
    throw error;
  }
  return {
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      stopping.abort(new StartError('the server is stopping, and ended the command early: run it again'));
      await Promise.race([closed, wait(FINISH_MS, undefined, { ref: false })]);
      server.closeAllConnections();
      await removeSocketPlace(dataDir);
    },
  };
};
