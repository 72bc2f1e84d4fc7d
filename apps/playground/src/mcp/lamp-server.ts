import { type AuthInfo, fromJsonSchema, McpServer, requireScopes } from '@modelcontextprotocol/server';
import type { Lamp, Lamps } from './lamps.ts';

const describe = ({ id, name, on }: Lamp): string => `${name} (${id}) is ${on ? 'on' : 'off'}`;

const says = (text: string, isError = false) => ({ content: [{ type: 'text' as const, text }], isError });

const nothing = fromJsonSchema<Record<string, never>>({ type: 'object', additionalProperties: false });

const lampAndState = fromJsonSchema<{ id: string; on: boolean }>({
  type: 'object',
  properties: {
    id: { type: 'string', description: 'The id of the lamp, as list_lamps has it' },
    on: { type: 'boolean', description: 'true switches the lamp on, false off' },
  },
  required: ['id', 'on'],
  additionalProperties: false,
});

/** The tools of one person, whose token the request brought. */
export function createLampServer(lamps: Lamps, authInfo: AuthInfo | undefined): McpServer {
  const subject = String(authInfo?.extra?.subject);
  const server = new McpServer({ name: 'playground-lamps', version: '0.1.0' });

  server.registerTool(
    'list_lamps',
    {
      title: 'List the lamps',
      description: 'Lists the lamps of the person, each with its id and whether it is on.',
      inputSchema: nothing,
      annotations: { readOnlyHint: true },
      scopeChallenge: requireScopes('lamps:read'),
    },
    () => says(lamps.list(subject).map(describe).join('\n')),
  );

  server.registerTool(
    'switch_lamp',
    {
      title: 'Switch a lamp',
      description: 'Switches a lamp of the person on or off.',
      inputSchema: lampAndState,
      scopeChallenge: requireScopes('lamps:read', 'lamps:switch'),
    },
    ({ id, on }) => {
      const lamp = lamps.turn(subject, id, on);
      return lamp ? says(describe(lamp)) : says(`There is no lamp "${id}".`, true);
    },
  );

  return server;
}
