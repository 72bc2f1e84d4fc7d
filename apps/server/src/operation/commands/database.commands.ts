import { sweep } from '../sweep.ts';
import { command } from './command.ts';

export const databaseCommands = [
  command({
    name: 'migrate',
    summary: 'make the database where there is none, and bring its schema up to date',
    example: 'migrate',
    makesDatabase: true,
    recorded: 'never',
    notBesideServer:
      'a server brings the schema up to date when it starts: start the release that has the migrations',
    run: async ({ prepare }) => {
      const applied = await prepare();
      return {
        value: { applied },
        lines: [applied.length > 0 ? `applied: ${applied.join(', ')}` : 'the schema is up to date'],
      };
    },
  }),
  command({
    name: 'sweep',
    summary: 'delete what has expired, now',
    example: 'sweep',
    recorded: 'after',
    run: async ({ connection, signal }) => {
      const count = await sweep(connection.db, undefined, { signal });
      signal.throwIfAborted();
      return { value: { deleted: count }, lines: [`${count} rows deleted`] };
    },
  }),
];
