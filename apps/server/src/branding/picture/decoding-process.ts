import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../ground/errors.ts';
import { unreadable } from './image-format.ts';
import { readUsage, type Usage } from './process-usage.ts';

/** A picture, and the picture to make of it. */
export interface DecodingTask {
  bytes: Buffer;
  into: 'avatar' | 'logo';
  /** Side of the square that holds the result, in pixels. */
  side: number;
  maxPixels: number;
}

/** A message of the process: `ready` once, then `bytes` or `failure` for each task. */
export interface DecodingAnswer {
  ready?: true;
  bytes?: Uint8Array;
  failure?: string;
}

export interface DecodingLimits {
  /** Processor time for one picture. */
  cpuMs: number;
  /** Memory by which the process may grow for one picture. */
  growthBytes: number;
  /** Time for one picture on a busy machine, the start of the process included. */
  wallMs: number;
  /** Memory that a process may keep of its pictures before a new process replaces it. */
  keptBytes: number;
  /** Time without a task after which the process ends. */
  idleMs: number;
}

export interface DecodingProcess {
  /**
   * Decodes one picture. Callers wait for one call before they make the next.
   * @throws AppError image_unreadable when the picture cannot be decoded or exceeds a limit, busy when time ran out
   */
  run(task: DecodingTask): Promise<Buffer>;
  close(): Promise<void>;
  /** undefined while no process runs. */
  readonly pid: number | undefined;
}

export interface DecodingProcessOptions {
  limits: DecodingLimits;
  /** Called when the process itself fails, and not because of a picture. */
  onFault(why: string): void;
  /** The program of the process. */
  file?: string;
}

const workerFile = fileURLToPath(new URL('./picture-worker.ts', import.meta.url));
const SHELL = '/bin/sh';
const LOOK_MS = 10;

/**
 * The most memory that the kernel gives to the process, between two looks too. Node reserves about 600 MB of it for code
 * and never fills it.
 */
const DATA_KB = 900_000;
/** The worker runs little JavaScript, so a small heap is enough. */
const FLAGS = ['--max-old-space-size=32', '--max-semi-space-size=1', '--v8-pool-size=1'];

const spawnOptions: SpawnOptions = {
  // The environment of the server may hold secrets, so the process gets none of it. Large blocks are freed at once.
  env: { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' },
  stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  serialization: 'advanced',
};

const startProgram = (file: string): ChildProcess => {
  const args = [...FLAGS, file];
  if (!existsSync(SHELL)) return spawn(process.execPath, args, spawnOptions);
  const limited = `ulimit -d ${DATA_KB}; exec "$0" "$@"`;
  return spawn(SHELL, ['-c', limited, process.execPath, ...args], spawnOptions);
};

interface Worker {
  child: ChildProcess;
  /** Usage when the process became ready. */
  ready?: Usage;
}

const NOTHING: Usage = { cpuMs: 0, residentBytes: 0 };

/** The usage of a worker. Where the system does not show it, the clock stands in for processor time. */
const usageOf = ({ child }: Worker): Usage =>
  (child.pid === undefined ? undefined : readUsage(child.pid)) ?? { ...NOTHING, cpuMs: performance.now() };

const busy = (why: string) => new AppError('busy', { retryAfterSeconds: 2, cause: new Error(why) });

/** Why a picture that began at the usage `from` costs too much; undefined if it does not. */
const excessOf = (from: Usage, now: Usage, { cpuMs, growthBytes }: DecodingLimits): string | undefined => {
  if (now.cpuMs - from.cpuMs > cpuMs) return 'a picture that takes too long to decode';
  if (now.residentBytes - from.residentBytes > growthBytes) {
    return 'a picture that takes too much memory to decode';
  }
  return undefined;
};

type PerformOptions = Pick<DecodingProcessOptions, 'limits' | 'onFault'>;

/** Runs a task, and kills the process when the task costs too much: nothing else stops a decoder. */
const perform = (worker: Worker, task: DecodingTask, { limits, onFault }: PerformOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const { child } = worker;
    const calledAt = performance.now();
    let from: Usage | undefined;
    let verdict: AppError | undefined;

    const begin = () => {
      from = usageOf(worker);
      worker.ready ??= from;
      child.send(task, () => undefined);
    };
    const look = setInterval(() => {
      const excess = from && excessOf(from, usageOf(worker), limits);
      if (excess) verdict = unreadable(excess);
      else if (performance.now() - calledAt > limits.wallMs) verdict = busy('no time to decode a picture');
      if (verdict) child.kill('SIGKILL');
    }, LOOK_MS);
    const settle = (act: () => void) => {
      clearInterval(look);
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
      act();
    };

    const onMessage = ({ ready, bytes, failure }: DecodingAnswer) => {
      if (!from && ready) begin();
      else if (bytes instanceof Uint8Array) settle(() => resolve(Buffer.from(bytes)));
      else settle(() => reject(unreadable(String(failure))));
    };
    const onError = ({ message }: Error) => {
      child.kill('SIGKILL');
      onFault(message);
      settle(() => reject(busy('no process that decodes')));
    };
    const onExit = () => {
      if (verdict) settle(() => reject(verdict));
      else if (from) settle(() => reject(unreadable('a picture that ended its decoder')));
      else onError(new Error('the process that decodes pictures ended before it began'));
    };
    child.on('message', onMessage).on('exit', onExit).on('error', onError);
    if (worker.ready) begin();
  });

/**
 * A process that decodes pictures, started for the first picture. Decoders are native code, which takes memory from the
 * system: in a thread it would be the server's memory, and a thread of native code cannot be ended.
 */
export const createDecodingProcess = (options: DecodingProcessOptions): DecodingProcess => {
  const { limits, file = workerFile } = options;
  let current: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  const start = (): Worker => {
    const child = startProgram(file);
    const worker: Worker = { child };
    const forget = () => {
      if (current === worker) current = undefined;
    };
    child.once('exit', forget).once('error', forget);
    // An idle process must not keep the server alive.
    child.unref();
    child.channel?.unref();
    return worker;
  };

  const end = async () => {
    clearTimeout(idle);
    const child = current?.child;
    // A task that comes meanwhile starts another process.
    current = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };

  const rest = () => {
    const kept = current?.ready && usageOf(current).residentBytes - current.ready.residentBytes;
    if (kept !== undefined && kept > limits.keptBytes) return end();
    idle = setTimeout(() => void end(), limits.idleMs).unref();
  };

  return {
    run: async (task) => {
      clearTimeout(idle);
      current ??= start();
      try {
        return await perform(current, task, options);
      } finally {
        await rest();
      }
    },
    close: end,
    get pid() {
      return current?.child.pid;
    },
  };
};
