import { availableParallelism } from 'node:os';
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2';
import { traced } from '../../ground/trace/trace.ts';
import { createWorkQueue, type WorkQueue, type WorkQueueOptions } from '../../ground/work-queue.ts';
import { createImportedVerifier } from './imported-verifier.ts';
import { createRefusalPace } from './refusal-pace.ts';

/** Never to be called inside a transaction: it takes 20 ms and more. */
export interface PasswordHasher {
  /**
   * @param from where the request comes from: requests from one place wait behind one another, and places take turns
   * @throws AppError busy
   */
  hash(password: string, from?: string): Promise<string>;
  /**
   * Without a hash (unknown account, no password) it does the same work and answers false. Takes hashes of
   * other systems too, and answers false in the same time for all.
   * @param from as of `hash`
   * @throws AppError busy
   */
  verify(hash: string | undefined, password: string, from?: string): Promise<boolean>;
  /**
   * Asks another system whether a password is right. A refusal takes as long as one of `verify`, and makes those as slow.
   * @param from as of `hash`
   * @throws AppError busy, and what `ask` throws
   */
  verifyElsewhere(ask: () => Promise<boolean>, from?: string): Promise<boolean>;
  /** Whether a hash was made with other parameters than today's. */
  needsRehash(hash: string): boolean;
}

export interface CountedHasher extends PasswordHasher {
  /** Of the queue of hashes. */
  counts: WorkQueue['counts'];
}

/** What a hash costs, by the names of RFC 9106. */
export interface HashCost {
  /** In KiB. */
  memoryCost: number;
  timeCost: number;
}

const ARGON2ID = 2;
/** The least that OWASP asks of argon2id. */
const COST: HashCost = { memoryCost: 19_456, timeCost: 2 };

/**
 * How many hashes each of `processes` computes at a time: two on one core would push each other's 19 MiB out of its caches and
 * take a tenth longer, and more than two would keep signatures out of the thread pool.
 */
export const hashConcurrency = (processes: number): number =>
  Math.min(2, Math.max(1, Math.floor(availableParallelism() / processes)));

/**
 * The queue of hashes for so many at a time: 25 ms each, so that three seconds of work may wait and the crowd of
 * a morning is served; a request that would wait for longer than five seconds is refused as busy.
 */
export const hashQueue = (concurrency: number): WorkQueueOptions => ({
  concurrency,
  maxQueue: concurrency * 128,
  maxWaitMs: 5_000,
});

/**
 * argon2id behind a bounded queue: a flood of sign-ins is refused instead of starving the rest, and waits behind
 * itself. Each hash that is computed takes a core and 19 MiB.
 * @param cost another one than that of passwords only where hashing itself is not tested
 */
export const createPasswordHasher = (options: WorkQueueOptions, cost = COST): CountedHasher => {
  const parameters = { algorithm: ARGON2ID, ...cost, parallelism: 1 };
  const prefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$`;
  /** Well-formed and of no known password; what it verifies is not used. */
  const dummyHash = `${prefix}${'A'.repeat(22)}$${'A'.repeat(43)}`;
  const enqueue = createWorkQueue(options);
  const verifyImported = createImportedVerifier();
  const pace = createRefusalPace();
  // The one change to a password: two keyboards may compose the same letters differently.
  const normalize = (password: string) => password.normalize('NFC');
  const isOwn = (hash: string) => hash.startsWith(prefix);

  const compare = async (hash: string | undefined, password: string): Promise<boolean> => {
    const matches = hash === undefined || isOwn(hash) ? undefined : await verifyImported(hash, password);
    if (matches !== undefined) return matches;
    const own = hash !== undefined && isOwn(hash);
    return (await argon2Verify(own ? hash : dummyHash, normalize(password))) && own;
  };

  const timed = async (work: () => Promise<boolean>) => {
    const started = performance.now();
    const matches = await work();
    return { matches, ms: performance.now() - started };
  };

  const compareInTurn = (hash: string | undefined, password: string, from: string | undefined) =>
    traced('verify password', 'internal', {}, () =>
      enqueue(() => timed(() => compare(hash, password)), from),
    );

  return {
    hash: (password, from) =>
      traced('hash password', 'internal', {}, () =>
        enqueue(() => argon2Hash(normalize(password), parameters), from),
      ),
    verify: async (hash, password, from) => {
      const { matches, ms } = await compareInTurn(hash, password, from);
      if (!matches) await pace.even(ms, hash !== undefined && !isOwn(hash));
      return matches;
    },
    verifyElsewhere: async (ask, from) => {
      const [{ matches, ms }, own] = await Promise.all([timed(ask), compareInTurn(undefined, '', from)]);
      if (!matches) await pace.even(Math.max(ms, own.ms), true);
      return matches;
    },
    needsRehash: (hash) => !isOwn(hash),
    counts: enqueue.counts,
  };
};
