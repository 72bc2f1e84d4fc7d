import { sweep } from '../sweep.ts';
import type { Command } from './command.ts';

export const databaseCommands: readonly Command[] = [
  {
    name: 'migrate',
    summary: 'make the database where there is none, and bring its schema up to date',
    example: 'migrate',
    makesDatabase: true,
    run: async ({ prepare }) => {
      const applied = await prepare();
      return {
        value: { applied },
        lines: [applied.length > 0 ? `applied: ${applied.join(', ')}` : 'the schema is up to date'],
      };
    },
  },
  {
    name: 'sweep',
    summary: 'delete what has expired, now',
    example: 'sweep',
    run: async ({ connection }) => {
      const count = await sweep(connection.db);
      return { value: { deleted: count }, lines: [`${count} rows deleted`] };
    },
  },
];
