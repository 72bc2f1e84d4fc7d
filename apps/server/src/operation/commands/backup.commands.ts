import { release } from '../../ground/release.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { command, MisuseError } from './command.ts';
import { createCountPrinter } from './count-printer.ts';

const number = new Intl.NumberFormat('en');

const sumOf = (rows: Readonly<Record<string, number>>) =>
  Object.values(rows).reduce((sum, count) => sum + count, 0);

export const backupCommands = [
  command({
    name: 'backup',
    summary: 'write all of the database, as it is at one moment, to a file that "restore" reads',
    args: ['FILE'],
    example: 'backup candela.backup',
    // Whoever may read a standby can copy it by tools of PostgreSQL too.
    recorded: 'if-writable',
    run: async ({ connection, args: [file], pathOf, note, progress, signal }) => {
      const printer = createCountPrinter(progress);
      const written = await writeBackup({
        connection,
        path: pathOf(file),
        release,
        onProgress: ({ table, rows }) => printer.update(`${table}: ${number.format(rows)} rows`),
        signal,
      }).finally(printer.finish);
      const { path, at, rows, leftOut, seconds, longestPauseMs } = written;
      if (leftOut.length > 0)
        note(`not in the backup, since no migration of Candela made it: ${leftOut.join(', ')}`);
      return {
        value: written,
        lines: [
          `${path}: ${number.format(sumOf(rows))} rows, as they were at ${at}, in ${seconds} s`,
          ...(longestPauseMs === undefined ? [] : [`requests waited for ${longestPauseMs} ms at most`]),
        ],
      };
    },
  }),
  command({
    name: 'restore',
    summary:
      'load a file of "backup" into an empty database, on PostgreSQL or embedded: all of it or nothing',
    args: ['FILE'],
    options: {
      replace: { does: 'drop the database of Candela that is there, once no server runs' },
      yes: { does: 'what --replace drops may be gone for good' },
    },
    example: 'restore candela.backup',
    makesDatabase: true,
    notBesideServer: 'a server has the database open: stop it first',
    recorded: 'after',
    run: async ({
      config: { secretKeys },
      connection,
      events,
      args: [file],
      options: { replace, yes },
      pathOf,
      progress,
      signal,
    }) => {
      if (replace !== yes)
        throw new MisuseError(
          '--replace and --yes go together: the database that is there would be gone for good',
        );
      const printer = createCountPrinter(progress);
      const restored = await restoreBackup({
        connection,
        path: pathOf(file),
        secretKeys,
        replace,
        onProgress: ({ done, rows, of }) =>
          printer.update(`${done}: ${number.format(rows)}${of ? ` of ${number.format(of)}` : ''} rows`),
        signal,
      }).finally(printer.finish);
      events.emit('database.restored', { actor: 'operator', count: restored.rows, detail: restored.at });
      const { rows, at, release: madeBy, migrated, seconds } = restored;
      return {
        value: restored,
        lines: [
          `restored: ${number.format(rows)} rows, as they were at ${at} under release ${madeBy}, in ${seconds} s`,
          'what was written since is lost: an app that has refreshed since has to be linked again, unless its refresh_mode is static, and what was withdrawn since is back',
          ...(migrated.length > 0 ? [`migrations applied since: ${migrated.join(', ')}`] : []),
        ],
      };
    },
  }),
];
