import { execFile, spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs';
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './world.ts';

const run = promisify(execFile);

/** A separate PostgreSQL server, with its own port and files, and with production durability. */
export interface Postgres {
  version: string;
  port: number;
  /** Its data directory and its process, for tests that damage them. */
  data: string;
  pid(): number;
  /** An empty database. */
  createDatabase(name: string): Promise<string>;
  /** Stops the server in the given mode, and starts it again. */
  restart(mode: 'fast' | 'immediate'): Promise<void>;
  /** Copies the running server into a new folder, which is deleted when the server stops. */
  backUp(name: string): Promise<string>;
  /** Starts a standby of the running server, which streams from it; it ends with the server's `stop`. */
  standBy(): Promise<Standby>;
  /** Streams the write-ahead log into a new folder until the server ends. */
  receiveWal(name: string): Promise<string>;
  /** Kills all its processes and deletes its files. */
  destroy(): Promise<void>;
  /** Starts from a folder of `backUp` and, if given, the log of `receiveWal`. */
  restore(backup: string, wal?: string): Promise<void>;
  stop(): Promise<void>;
}

export interface Standby {
  port: number;
  /** Makes it a primary, and resolves once it takes writes. */
  promote(): Promise<void>;
}

/** Settings that differ from PostgreSQL’s defaults; durability does not differ. */
export const settings = {
  shared_buffers: '512MB',
  // A checkpoint in the middle of a round would be charged to the server under measurement.
  max_wal_size: '8GB',
  checkpoint_timeout: '30min',
  max_connections: '100',
};

/** The folder of PostgreSQL’s programs. */
export const findBinaries = (): string => {
  const inPath = (process.env.PATH ?? '')
    .split(delimiter)
    .find((folder) => existsSync(join(folder, 'initdb')));
  const [newest] = globSync('/usr/lib/postgresql/*/bin/initdb').toSorted((a, b) =>
    b.localeCompare(a, 'en', { numeric: true }),
  );
  const found = inPath ? join(inPath, 'initdb') : newest;
  if (!found)
    throw new Error('PostgreSQL is needed: `initdb` is neither in PATH nor below /usr/lib/postgresql');
  // PATH may have links to some of the programs; all of them are in one directory.
  return dirname(realpathSync(found));
};

/** PostgreSQL refuses to run as root: then it runs as the user `postgres`, or as `nobody`. */
export const chooseOwner = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = ['postgres', 'nobody'].map((name) => users.find((entry) => entry[0] === name)).find(Boolean);
  if (!user) throw new Error('there is no user `postgres` or `nobody` for PostgreSQL to run as');
  return { uid: Number(user[2]), gid: Number(user[3]) };
};

/** The process of the server that runs on a data directory. */
export const pidOf = (data: string) =>
  Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);

export const query = async <Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query<Row>(text);
    return result.rows;
  } finally {
    await client.end();
  }
};

/**
 * @param extra settings that add to or override those above
 * @param tables where its files are, except the write-ahead log; by default beside the log
 * @throws Error if no PostgreSQL is found
 */
export const startPostgres = async (
  extra: Readonly<Record<string, string>> = {},
  tables?: string,
): Promise<Postgres> => {
  const binaries = findBinaries();
  const owner = chooseOwner();
  const directory = await mkdtemp('/tmp/candela-postgres.');
  if (owner) await chown(directory, owner.uid, owner.gid);
  const data = join(tables ?? directory, 'data');
  const as = { cwd: directory, ...owner };
  const controlOf =
    (folder: string) =>
    (...args: string[]) =>
      run(join(binaries, 'pg_ctl'), ['--silent', '-D', folder, ...args], as);
  const control = controlOf(data);
  const standbys: ReturnType<typeof controlOf>[] = [];

  const port = await freePort();
  const start = (options: string) =>
    control('start', '--wait', `--log=${join(directory, 'server.log')}`, `--options=${options}`);
  const flags = Object.entries({ ...settings, listen_addresses: '127.0.0.1', ...extra }).map(
    ([name, value]) => `-c ${name}='${value}'`,
  );
  const server = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres'];
  const optionsAt = (at: number) => `-p ${at} -k ${directory} ${flags.join(' ')}`;
  const options = optionsAt(port);
  try {
    await run(
      join(binaries, 'initdb'),
      [
        ...['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C'],
        ...(tables ? ['--waldir', join(directory, 'wal')] : []),
      ],
      as,
    );
    await start(options);
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const isRecovering = async () => {
    const found = await query<{ yes: boolean }>(urlOf('postgres'), 'select pg_is_in_recovery() as yes');
    return found[0]?.yes === true;
  };
  const [row] = await query<{ version: string }>(
    urlOf('postgres'),
    `select current_setting('server_version') as version`,
  );
  return {
    version: row?.version ?? '',
    port,
    data,
    pid: () => pidOf(data),
    restart: async (mode) => {
      await control('stop', '--wait', `--mode=${mode}`);
      await start(options);
    },
    backUp: async (name) => {
      const folder = join(directory, name);
      await run(join(binaries, 'pg_basebackup'), [...server, '-D', folder, '--checkpoint=fast'], as);
      return folder;
    },
    standBy: async () => {
      const own = await freePort();
      const folder = join(directory, `standby-${own}`);
      const copy = ['-D', folder, '--checkpoint=fast', '--write-recovery-conf', '--no-sync'];
      await run(join(binaries, 'pg_basebackup'), [...server, ...copy], as);
      const controlStandby = controlOf(folder);
      await controlStandby('start', '--wait', `--log=${folder}/server.log`, `--options=${optionsAt(own)}`);
      standbys.push(controlStandby);
      return { port: own, promote: async () => void (await controlStandby('promote', '--wait')) };
    },
    receiveWal: async (name) => {
      const folder = join(directory, name);
      await mkdir(folder);
      if (owner) await chown(folder, owner.uid, owner.gid);
      const receiver = spawn(
        join(binaries, 'pg_receivewal'),
        [...server, '-D', folder, '--synchronous', '--no-loop'],
        { ...as, stdio: 'ignore' },
      );
      while (globSync(join(folder, '*.partial')).length === 0) {
        if (receiver.exitCode !== null) throw new Error(`pg_receivewal ended with ${receiver.exitCode}`);
        await wait(20);
      }
      return folder;
    },
    destroy: async () => {
      const postmaster = pidOf(data);
      const processes = await run('ps', [
        '-o',
        'pid=',
        '--pid',
        String(postmaster),
        '--ppid',
        String(postmaster),
      ]);
      for (const pid of processes.stdout.trim().split(/\s+/)) process.kill(Number(pid), 'SIGKILL');
      await rm(data, { recursive: true });
      // A killed process exists until its parent reaps it, and its lock would keep the next process out.
      for (const lock of globSync(join(directory, '.s.PGSQL.*'))) await rm(lock, { force: true });
    },
    restore: async (backup, wal) => {
      await run('cp', ['-a', backup, data]);
      if (wal === undefined) {
        await start(options);
        return;
      }
      await run('touch', [join(data, 'recovery.signal')], as);
      const command = `cp ${wal}/%f %p || cp ${wal}/%f.partial %p`;
      await start(`${options} -c restore_command='${command}'`);
      // The server answers queries before it has replayed the log; it accepts writes only afterwards.
      while (await isRecovering()) await wait(20);
    },
    createDatabase: async (name) => {
      await query(urlOf('postgres'), `create database ${name}`);
      return urlOf(name);
    },
    stop: async () => {
      for (const stopping of [control, ...standbys])
        await stopping('stop', '--mode=immediate').catch(() => undefined);
      await rm(directory, { recursive: true, force: true });
    },
  };
};
