import type { Connection } from '../src/ground/db/connect.ts';
import { commands } from '../src/operation/commands/commands.ts';
import { runCall } from '../src/operation/commands/run-call.ts';
import type { Config } from '../src/operation/config/config.ts';
import { wireRegistrations } from '../src/operation/wiring/registrations.ts';
import { recordEvents } from './recorded-events.ts';

/** Makes the function that runs a command on an open database; files are named by their absolute paths. */
export const createCommandRunner =
  (place: { config: Config; connection: Connection }) =>
  async (...argv: string[]): Promise<{ status: number; out: string; error: string }> => {
    const said = { out: '', error: '' };
    const events = recordEvents();
    const call = {
      argv,
      pathOf: (file: string) => file,
      signal: new AbortController().signal,
      isTerminal: false,
      writeOut: (text: string) => {
        said.out += text;
      },
      writeError: (text: string) => {
        said.error += text;
      },
    };
    const status = await runCall(call, commands, (_command, _surroundings, work) =>
      work({
        ...place,
        events,
        prepare: async () => [],
        registrations: () => wireRegistrations({ ...place, events }),
      }),
    );
    return { status, ...said };
  };
