import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { chooseOwner, findBinaries, pidOf, query } from './postgres.ts';
import { isInstalled, startProxyProcess } from './proxy-process.ts';
import { adaptSample, readSample } from './sample.ts';
import { freePort } from './world.ts';

const run = promisify(execFile);

/** Addresses of loopback, which stand for the machines of the samples. */
const NETWORK = '127.0.0.';
const KEEPERS = [21, 22, 23];
const SERVERS = [
  { name: 'one', address: `${NETWORK}11` },
  { name: 'two', address: `${NETWORK}12` },
] as const;
const START_SECONDS = 60;
const PASSWORD = 'change-me-superuser';

type Name = (typeof SERVERS)[number]['name'];

/** A server as Patroni tells of it. */
interface Member {
  name: Name;
  role: 'leader' | 'sync_standby' | 'replica';
  state: string;
  timeline?: number;
}

export interface Patroni {
  /** Of the database `postgres`, by haproxy. */
  url: string;
  /** The URL of a database by haproxy, with both servers in its place. */
  byHosts(url: string): string;
  /** The members, as a living one knows them. */
  members(): Promise<Member[]>;
  primary(): Promise<Name>;
  /** Waits until one server is the primary, and the other follows it, in step where commits wait for it. */
  untilWhole(): Promise<void>;
  /** kill -9 of a server: its Patroni, and PostgreSQL with all of its processes. */
  kill(name: Name): Promise<void>;
  /** Starts the Patroni of a killed server again. */
  start(name: Name): void;
  /** Stops what sends the log of the primary to the standby, as a slow network does, until the primary is killed. */
  holdLog(primary: Name): Promise<void>;
  stop(): Promise<void>;
}

const listProcesses = async (parent: number): Promise<{ pid: number; command: string }[]> => {
  const { stdout } = await run('ps', ['-o', 'pid=,args=', '--ppid', String(parent)]).catch(() => ({
    stdout: '',
  }));
  return stdout
    .split('\n')
    .map((line) => /^\s*(\d+) (.*)$/.exec(line))
    .flatMap((found) => (found ? [{ pid: Number(found[1]), command: found[2] ?? '' }] : []));
};

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
};

/** Kills PostgreSQL with its processes, where it runs. */
const killServer = async (data: string): Promise<void> => {
  if (!existsSync(join(data, 'postmaster.pid'))) return;
  const postmaster = pidOf(data);
  const children = await listProcesses(postmaster);
  signal(postmaster, 'SIGKILL');
  for (const { pid } of children) signal(pid, 'SIGKILL');
};

const createStarter =
  (directory: string, owner: ReturnType<typeof chooseOwner>) =>
  (name: string, program: string, args: readonly string[]): ChildProcess => {
    const log = openSync(join(directory, `${name}.log`), 'a');
    const child = spawn(program, args, { cwd: directory, ...owner, stdio: ['ignore', log, log] });
    closeSync(log);
    return child;
  };

/** The arguments of the members of one etcd. */
const createKeepers = (clients: number, peers: number) => {
  const peerOf = (address: number) => `http://${NETWORK}${address}:${peers}`;
  const all = KEEPERS.map((address) => `keeper${address}=${peerOf(address)}`).join(',');
  return KEEPERS.map((address) => {
    const name = `keeper${address}`;
    const client = `http://${NETWORK}${address}:${clients}`;
    const args = [
      ['--name', name],
      ['--data-dir', name],
      ['--listen-client-urls', client],
      ['--advertise-client-urls', client],
      ['--listen-peer-urls', peerOf(address)],
      ['--initial-advertise-peer-urls', peerOf(address)],
      ['--initial-cluster', all],
    ];
    return { name, args: args.flat() };
  });
};

interface Place {
  directory: string;
  ports: { postgres: number; api: number; keeper: number };
  synchronous: boolean;
}

const dataOf = ({ directory }: Place, name: Name) => join(directory, name);
const socketsOf = ({ directory }: Place, name: Name) => join(directory, `${name}.sockets`);

/** The sample, with the addresses and folders of one server. */
const configure = async (place: Place, name: Name): Promise<string> => {
  const { directory, ports, synchronous } = place;
  return adaptSample(await readSample('patroni.yml'), [
    ['name: one', `name: ${name}`],
    ['10.0.0.11', SERVERS.find((server) => server.name === name)?.address ?? ''],
    ['10.0.0.', NETWORK],
    [':5432', `:${ports.postgres}`],
    [':8008', `:${ports.api}`],
    [':2379', `:${ports.keeper}`],
    ['/var/lib/postgresql/15/candela', dataOf(place, name)],
    ['/usr/lib/postgresql/15/bin', findBinaries()],
    ['/var/lib/postgresql/.patroni-pgpass', join(directory, `${name}.pgpass`)],
    ['/var/run/postgresql', socketsOf(place, name)],
    ['synchronous_mode: true', `synchronous_mode: ${synchronous}`],
  ]);
};

const startBalancer = async ({ ports }: Place, port: number) => {
  const sample = adaptSample(await readSample('haproxy.cfg'), [
    ['bind 127.0.0.1:5000', `bind 127.0.0.1:${port}`],
    ['10.0.0.', NETWORK],
    [':5432', `:${ports.postgres}`],
    ['port 8008', `port ${ports.api}`],
  ]);
  return startProxyProcess({
    program: 'haproxy',
    args: ['-db', '-f', 'haproxy.cfg'],
    files: { 'haproxy.cfg': sample },
    port,
  });
};

/** haproxy believes in every server until it has checked it, and takes them in turn. */
const untilBalanced = async (url: string): Promise<void> => {
  const isPrimary = () =>
    query<{ transaction_read_only: string }>(url, 'show transaction_read_only').then(
      ([row]) => row?.transaction_read_only === 'off',
      () => false,
    );
  for (let inTurn = 0; inTurn <= SERVERS.length; await wait(50))
    inTurn = (await isPrimary()) ? inTurn + 1 : 0;
};

/** Asks the servers in turn who is what. */
const askMembers = async (api: number): Promise<Member[]> => {
  for (const { address } of SERVERS) {
    const answer = await fetch(`http://${address}:${api}/cluster`, {
      signal: AbortSignal.timeout(2_000),
    }).catch(() => undefined);
    if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
  }
  return [];
};

const isWhole = (members: readonly Member[], synchronous: boolean): boolean => {
  const leader = members.find(({ role }) => role === 'leader');
  const follower = members.find(({ role }) => role === (synchronous ? 'sync_standby' : 'replica'));
  return (
    leader?.state === 'running' &&
    follower !== undefined &&
    ['running', 'streaming'].includes(follower.state) &&
    follower.timeline === leader.timeline
  );
};

const createPlace = async (synchronous: boolean): Promise<Place> => {
  const directory = await mkdtemp('/tmp/candela-patroni.');
  const [postgres, api, keeper] = await Promise.all([freePort(), freePort(), freePort()]);
  const place = { directory, ports: { postgres, api, keeper }, synchronous };
  for (const { name } of SERVERS)
    await writeFile(join(directory, `${name}.yml`), await configure(place, name));
  return place;
};

/** The programs that `startPatroni` starts and this machine lacks. */
export const missingPrograms = (): string[] =>
  ['patroni', 'etcd', 'haproxy', 'ps'].filter((program) => !isInstalled(program));

/**
 * Two PostgreSQL servers under Patroni, three members of etcd and an haproxy, as docs/samples sets them up, on
 * loopback.
 * @param synchronous whether a commit waits for the standby
 * @throws Error if the servers do not find together
 */
export const startPatroni = async ({ synchronous }: { synchronous: boolean }): Promise<Patroni> => {
  const owner = chooseOwner();
  const place = await createPlace(synchronous);
  const { directory, ports } = place;
  const own = async (path: string) => {
    if (owner) await chown(path, owner.uid, owner.gid);
  };
  await own(directory);
  const startChild = createStarter(directory, owner);
  const balancerPort = await freePort();
  const urlOf = (hosts: string) => `postgres://postgres:${PASSWORD}@${hosts}/postgres`;
  const url = urlOf(`127.0.0.1:${balancerPort}`);
  const children = new Map<string, ChildProcess>();

  const start = (name: Name) =>
    void children.set(name, startChild(name, 'patroni', [join(directory, `${name}.yml`)]));
  const kill = async (name: Name) => {
    children.get(name)?.kill('SIGKILL');
    await killServer(dataOf(place, name));
  };
  const members = () => askMembers(ports.api);
  const untilWhole = async () => {
    for (const end = Date.now() + START_SECONDS * 1_000; Date.now() < end; await wait(200))
      if (isWhole(await members(), synchronous)) return;
    const logs = await Promise.all(
      SERVERS.map(({ name }) => readFile(join(directory, `${name}.log`), 'utf8').catch(() => '')),
    );
    throw new Error(`the servers did not find together:\n${logs.map((log) => log.slice(-3_000)).join('\n')}`);
  };
  let balancer: Awaited<ReturnType<typeof startBalancer>> | undefined;
  const stop = async () => {
    for (const { name } of SERVERS) await kill(name);
    for (const child of children.values()) child.kill('SIGKILL');
    await balancer?.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };

  try {
    for (const { name, args } of createKeepers(ports.keeper, await freePort())) {
      await mkdir(join(directory, name), { mode: 0o700 });
      await own(join(directory, name));
      children.set(name, startChild(name, 'etcd', args));
    }
    for (const { name } of SERVERS) {
      await mkdir(socketsOf(place, name));
      await own(socketsOf(place, name));
      start(name);
    }
    await untilWhole();
    balancer = await startBalancer(place, balancerPort);
    await untilBalanced(url);
  } catch (error) {
    await stop();
    throw error;
  }
  const hosts = SERVERS.map(({ address }) => `${address}:${ports.postgres}`).join(',');
  return {
    url,
    byHosts: (through) =>
      `${through.replace(`127.0.0.1:${balancerPort}`, hosts)}?target_session_attrs=read-write`,
    members,
    primary: async () => {
      const leader = (await members()).find(({ role }) => role === 'leader');
      if (!leader) throw new Error('there is no primary');
      return leader.name;
    },
    untilWhole,
    kill,
    start,
    holdLog: async (primary) => {
      // A standby that has just followed may connect anew once more.
      for (const end = Date.now() + START_SECONDS * 1_000; Date.now() < end; await wait(200)) {
        const processes = await listProcesses(pidOf(dataOf(place, primary)));
        const sender = processes.find(({ command }) => command.includes('walsender'));
        if (sender) return signal(sender.pid, 'SIGSTOP');
      }
      throw new Error('the primary sends its log to nobody');
    },
    stop,
  };
};
