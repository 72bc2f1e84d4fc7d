import { once } from 'node:events';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import * as z from 'zod/mini';
import { StartError } from '../../ground/start-error.ts';
import type { CommandCall, ExitStatus } from '../commands/run-call.ts';
import { Frame, type SentCall } from './frames.ts';
import { findSocket } from './socket-place.ts';

/** Codes of a connection that nobody takes: no server runs, or one was killed. */
const NOBODY = ['ENOENT', 'ECONNREFUSED'];

const brokenOff = (cause: unknown) =>
  new StartError(
    'the server ended, or broke the connection off, before the command was done: its log says why. What the command had stored by then stays',
    { cause },
  );

/** Sends the call; undefined where nobody takes it. */
const send = async (socketPath: string, call: SentCall): Promise<IncomingMessage | undefined> => {
  const request = sendRequest({ socketPath, method: 'POST', agent: false });
  try {
    const answered = once(request, 'response');
    request.end(JSON.stringify(call));
    const [response] = await answered;
    return response;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (NOBODY.includes(code)) return undefined;
    if (code === 'EACCES' || code === 'EPERM')
      throw new StartError(
        `${socketPath}: only the user of the server that has the database open may run commands`,
        { cause: error },
      );
    throw brokenOff(error);
  }
};

async function* readFrames(response: IncomingMessage): AsyncGenerator<Frame> {
  let rest = '';
  response.setEncoding('utf8');
  for await (const chunk of response) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield z.parse(Frame, JSON.parse(line));
  }
}

/**
 * Lets the server that has the embedded database in `dataDir` open run a call.
 * @returns the exit status; undefined where no server does.
 * @throws StartError when the connection breaks off, or is not permitted.
 */
export const callServer = async (
  dataDir: string,
  { argv, isTerminal, by, writeOut, writeError }: Omit<CommandCall, 'pathOf' | 'signal'>,
  cwd: string,
): Promise<ExitStatus | undefined> => {
  const socketPath = await findSocket(dataDir);
  const response = socketPath && (await send(socketPath, { argv: [...argv], cwd, isTerminal, by }));
  if (!response) return undefined;
  try {
    for await (const frame of readFrames(response)) {
      if ('exit' in frame) return frame.exit;
      if ('out' in frame) writeOut(frame.out);
      else writeError(frame.error);
    }
  } catch (error) {
    throw brokenOff(error);
  }
  throw brokenOff(undefined);
};
