import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { copyContext } from './build-context.ts';
import { argumentsOf, pairsOf, readDockerfile, type Stage, type Step, stepsOf } from './dockerfile.ts';

// Instead of a container engine: the steps of a Dockerfile in order, each in a folder that is its root. The system's
// own programs stand in for those of the base image, and Node and npm are where the official image has them.

const execute = promisify(execFile);

/** Of the machine, read-only. */
const SYSTEM = ['usr/bin', 'usr/sbin', 'usr/lib', 'usr/lib64', 'usr/share', 'etc'];
const LINKS = { bin: 'usr/bin', sbin: 'usr/sbin', lib: 'usr/lib', lib64: 'usr/lib64' };
/** What downloads need on this machine; a container engine has it of its own. */
const NETWORK = ['NODE_EXTRA_CA_CERTS', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];
const STEP_MS = 60_000;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const NODE = 'usr/local/bin/node';

/** Mounts what belongs into the root, and puts the command in place of itself. */
const ENTER = `
root=$1 node=$2 binds=$3 writable=$4 user=$5 workdir=$6; shift 6
mount --bind "$root" "$root"
for each in ${SYSTEM.join(' ')}; do
  if [ -d "/$each" ]; then mount -o bind,ro "/$each" "$root/$each"; fi
done
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -o bind,ro "$node" "$root/${NODE}"
for each in $binds; do mount --bind "\${each%%:*}" "$root\${each#*:}"; done
if [ "$writable" = no ]; then
  mount -o remount,bind,ro "$root"
  mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
fi
exec chroot "$root" setpriv --reuid="\${user%:*}" --regid="\${user#*:}" --clear-groups --no-new-privs \\
  /bin/sh -c 'cd "$0" && exec "$@"' "$workdir" "$@"
`;

/** What a command in a root is run with. */
interface Place {
  root: string;
  /** Folders of the machine by their path in the root. */
  binds: Readonly<Record<string, string>>;
  writable: boolean;
  user: string;
  workdir: string;
  env: Readonly<Record<string, string>>;
}

const enter = (place: Place, argv: readonly string[]) => {
  const binds = Object.entries(place.binds).map(([to, from]) => `${from}:${to}`);
  return {
    program: 'unshare',
    args: [
      ...['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child', 'sh', '-ec', ENTER, 'sh'],
      ...[place.root, process.execPath, binds.join(' '), place.writable ? 'yes' : 'no', place.user],
      ...[place.workdir, ...argv],
    ],
    options: { env: { PATH, ...place.env } },
  };
};

/** Why this machine cannot perform the steps; undefined: it can. */
export const whyNotPerformable = (): string | undefined => {
  if (process.getuid?.() !== 0) return 'skipped: it needs root, for mounts';
  const tried = spawnSync('unshare', ['--mount', '--pid', '--fork', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);
  return tried.status === 0 ? undefined : 'skipped: this system lets nobody mount';
};

/** A root as the official image of Node has it, without its system. */
const makeBase = async (root: string) => {
  const folders = [
    ...SYSTEM,
    'dev',
    'proc',
    'opt',
    'root',
    'tmp',
    'usr/local/bin',
    'usr/local/lib/node_modules',
  ];
  for (const folder of folders) await mkdir(join(root, folder), { recursive: true });
  for (const [link, to] of Object.entries(LINKS)) await symlink(to, join(root, link));
  await chmod(join(root, 'tmp'), 0o1777);
  await writeFile(join(root, NODE), '');
  const npm = dirname(dirname(realpathSync((await execute('which', ['npm'])).stdout.trim())));
  await execute('cp', ['-a', npm, join(root, 'usr/local/lib/node_modules/npm')]);
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
};

interface Built extends Place {
  steps: readonly Step[];
}

/** Carries out steps, each of which may change where the next one runs. */
const createBuilder = async (folder: string, context: string) => {
  const official = join(folder, 'official');
  await makeBase(official);
  const built = new Map<string, Built>();
  /** What root keeps of downloads is kept on this machine, as the builder of an engine keeps it. */
  const bind = async (root: string, target: string) => {
    const from = target.startsWith('/root/')
      ? join(homedir(), target.slice('/root'.length))
      : join(folder, 'caches', target);
    await mkdir(from, { recursive: true });
    await mkdir(join(root, target), { recursive: true });
    return { [target]: from };
  };

  const perform: Record<string, (place: Place, step: Step) => Promise<Partial<Place>>> = {
    ENV: async ({ env }, step) => ({ env: { ...env, ...pairsOf(step) } }),
    USER: async (_, { text }) => ({ user: text.trim() }),
    WORKDIR: async ({ root, workdir }, { text }) => {
      const path = resolve(workdir, text);
      await mkdir(join(root, path), { recursive: true });
      return { workdir: path };
    },
    COPY: async ({ root, workdir }, { flags, words }) => {
      const source = flags.from?.[0] ? built.get(flags.from[0])?.root : context;
      if (!source) throw new Error(`COPY from ${flags.from?.[0]}, which is no stage`);
      const to = words.at(-1) ?? '';
      for (const word of words.slice(0, -1)) {
        const from = join(source, word);
        const isFolder = (await stat(from)).isDirectory();
        const target = resolve(join(root, workdir), to.startsWith('/') ? join(root, to) : to);
        await mkdir(isFolder || to.endsWith('/') ? target : dirname(target), { recursive: true });
        const place = isFolder ? `${target}/` : to.endsWith('/') ? join(target, basename(word)) : target;
        await execute('cp', [source === context ? '-a' : '-al', isFolder ? `${from}/.` : from, place]);
      }
      return {};
    },
    RUN: async (place, { flags, text }) => {
      const targets = (flags.mount ?? []).map((mount) => /(?:^|,)target=([^,]+)/.exec(mount)?.[1] ?? '');
      const binds: Record<string, string> = {};
      for (const target of [...targets, '/root/.npm']) Object.assign(binds, await bind(place.root, target));
      const network = NETWORK.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
      const env = {
        ...Object.fromEntries(network),
        HOME: '/root',
        npm_config_prefer_offline: 'true',
        CI: '1',
        ...place.env,
      };
      const { program, args, options } = enter({ ...place, binds, env }, ['/bin/sh', '-c', text]);
      await execute(program, args, { ...options, timeout: STEP_MS }).catch(({ stdout, stderr }) => {
        throw new Error(`RUN ${text}\n${stdout}${stderr}`);
      });
      return {};
    },
  };

  return async ({ name, base, steps }: Stage): Promise<Built> => {
    const before = built.get(base);
    const root = join(folder, name || 'last');
    // Steps replace files and never write into them, so that stages can share them.
    await execute('cp', ['-al', before?.root ?? official, root]);
    let place: Place = { binds: {}, writable: true, user: '0:0', workdir: '/', env: {}, ...before, root };
    for (const step of steps) place = { ...place, ...(await perform[step.keyword]?.(place, step)) };
    const done = { ...place, steps };
    built.set(name, done);
    return done;
  };
};

interface Container {
  child: ChildProcess;
  output(): string;
  /** The status that it ends with. */
  ended: Promise<number | null>;
  /** Sends a signal to the first process of the container. */
  kill(signal: NodeJS.Signals): void;
}

export interface BareImage {
  /** The folder that is the root of a container. */
  root: string;
  cmd: readonly string[];
  healthCheck: readonly string[];
  /** Paths of the repository that the build got. */
  context: readonly string[];
  /** Starts a container: on a root that is read-only but for /tmp and the volumes, as the image's user. */
  start(argv: readonly string[], env: Record<string, string>): Container;
  /** What a volume holds, on the machine. */
  volume(path: string): string;
  remove(): Promise<void>;
}

/** Performs the steps of a Dockerfile, up to its last stage. */
export const performDockerfile = async (repository: string, dockerfile: string): Promise<BareImage> => {
  const folder = await mkdtemp(join(tmpdir(), 'candela-image-'));
  await chmod(folder, 0o755);
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const context = await copyContext(repository, `${dockerfile}.dockerignore`, join(folder, 'context'));
    const build = await createBuilder(folder, join(folder, 'context'));
    const stages = readDockerfile(await readFile(dockerfile, 'utf8'));
    let last: Built | undefined;
    for (const stage of stages) last = await build(stage);
    if (!last) throw new Error(`${dockerfile} has no stage`);
    const { root, steps } = last;
    // A new volume gets what the image has there, with its owner.
    const volumes = stepsOf('VOLUME', steps).flatMap(({ words }) => words);
    const binds: Record<string, string> = {};
    for (const volume of volumes) {
      binds[volume] = join(folder, `volume${volume.replaceAll('/', '-')}`);
      await execute('cp', ['-a', join(root, volume), binds[volume]]);
    }
    const [cmd, health] = ['CMD', 'HEALTHCHECK'].map(
      (keyword) => stepsOf(keyword, steps).map(argumentsOf)[0],
    );
    const container = { ...last, binds, writable: false };
    return {
      root,
      context,
      cmd: cmd ?? [],
      healthCheck: health ?? [],
      volume: (path) => binds[path] ?? '',
      start: (argv, env) => startContainer({ ...container, env: { ...container.env, ...env } }, argv),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
};

const startContainer = (place: Place, argv: readonly string[]): Container => {
  const { program, args, options } = enter(place, argv);
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk;
    });
  return {
    child,
    output: () => said,
    ended: new Promise((done) => child.once('close', done)),
    kill: (signal) => {
      const first = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
      if (first && existsSync(`/proc/${first}`)) process.kill(Number(first), signal);
    },
  };
};
