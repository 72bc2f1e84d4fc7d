import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AppError } from '../errors.ts';
import { unreadable } from './image-format.ts';
import { readUsage, type Usage } from './process-usage.ts';

/** One picture, and what to make of it. */
export interface DecodingTask {
  bytes: Buffer;
  into: 'avatar' | 'logo';
  /** Of the square that holds it, in pixels. */
  side: number;
  maxPixels: number;
}

/** What the process says: once that it can begin, and one of the others for each task. */
export interface DecodingAnswer {
  ready?: true;
  bytes?: Uint8Array;
  failure?: string;
}

export interface DecodingLimits {
  /** Of a processor, for one picture. */
  cpuMs: number;
  /** By which the process may grow for one picture. */
  growthBytes: number;
  /** How long a picture may take where the machine has no processor to spare; the start of a process counts. */
  wallMs: number;
  /** A process that kept so much of its pictures makes room for a fresh one. */
  keptBytes: number;
  /** A process ends that had nothing to do for so long. */
  idleMs: number;
}

export interface DecodingProcess {
  /**
   * One at a time: whoever calls waits for the answer before.
   * @throws AppError image_unreadable where it cannot be decoded or spent a limit, busy where there was no time
   */
  run(task: DecodingTask): Promise<Buffer>;
  close(): Promise<void>;
  /** Undefined while there is none. */
  readonly pid: number | undefined;
}

export interface DecodingProcessOptions {
  limits: DecodingLimits;
  /** Told where the process itself is at fault, and no picture. */
  onFault(why: string): void;
  /** The program of the process. */
  file?: string;
}

const workerFile = fileURLToPath(new URL('./picture-worker.ts', import.meta.url));
const SHELL = '/bin/sh';
const LOOK_MS = 10;

/**
 * What the kernel gives out at most, whatever happens between two looks. About 600 MB of it is what Node
 * reserves for code and never fills.
 */
const DATA_KB = 900_000;
/** Little JavaScript needs a small heap. */
const FLAGS = ['--max-old-space-size=32', '--max-semi-space-size=1', '--v8-pool-size=1'];

const spawnOptions: SpawnOptions = {
  // Nothing of the server's own, in which its secrets may stand; large blocks are given back at once.
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
  /** Since it said that it can begin. */
  ready?: Usage;
}

const NOTHING: Usage = { cpuMs: 0, residentBytes: 0 };

/** Where the system does not tell, the clock counts as the processor's time. */
const usageOf = ({ child }: Worker): Usage =>
  (child.pid === undefined ? undefined : readUsage(child.pid)) ?? { ...NOTHING, cpuMs: performance.now() };

const busy = (why: string) => new AppError('busy', { retryAfterSeconds: 2, cause: new Error(why) });

/** Why a picture costs too much that was begun at `from`. */
const excessOf = (from: Usage, now: Usage, { cpuMs, growthBytes }: DecodingLimits): string | undefined => {
  if (now.cpuMs - from.cpuMs > cpuMs) return 'a picture that takes too long to decode';
  if (now.residentBytes - from.residentBytes > growthBytes) {
    return 'a picture that takes too much memory to decode';
  }
  return undefined;
};

type PerformOptions = Pick<DecodingProcessOptions, 'limits' | 'onFault'>;

/** Has the task done, and ends the process where it costs too much: nothing else stops a decoder. */
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
 * A process that decodes pictures, started when the first one comes. Decoders are native code that takes
 * memory from the system itself: a thread would take it from the server, and could not be ended.
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
    // While it waits for work it does not keep the server alive.
    child.unref();
    child.channel?.unref();
    return worker;
  };

  const end = async () => {
    clearTimeout(idle);
    const child = current?.child;
    // Whoever comes meanwhile finds none, and starts another.
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
