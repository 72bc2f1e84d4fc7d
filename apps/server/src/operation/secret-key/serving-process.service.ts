import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from '../../ground/logger.ts';
import { every, type Loop } from '../../ground/loop/every.ts';
import { StartError } from '../../ground/start-error.ts';
import { createFingerprint, type KeptKeyOptions } from './kept-key.service.ts';
import {
  countServingProcesses,
  deleteServingProcess,
  deleteSilentProcesses,
  listServingProcesses,
  upsertServingProcess,
} from './serving-process.repository.ts';

const EVERY_SECONDS = 60;
const RETRY_SECONDS = 5;
/** A process is taken for dead when it was not seen for so long. */
const ALIVE_SECONDS = 300;

export interface PresenceOptions extends KeptKeyOptions {
  logger: Logger;
  version: string;
}

/** Stores now and every minute that this process serves, and which SECRET_KEYs it knows. */
export const startPresence = async (options: PresenceOptions): Promise<Loop> => {
  const { db, secretKeys, logger, version } = options;
  const id = randomUUID();
  const host = hostname();
  const fingerprint = await createFingerprint(options);
  const note = () => upsertServingProcess(db, { id, secretKeys: secretKeys.map(fingerprint), version, host });
  await deleteSilentProcesses(db, ALIVE_SECONDS);
  await note();
  const loop = every(EVERY_SECONDS, note, {
    retrySeconds: RETRY_SECONDS,
    onFailure: (err) => logger.debug({ err }, 'the database was not told that this process serves'),
  });
  return {
    stop: async () => {
      await loop.stop();
      // Where the database is away, the process is taken for dead in time.
      await deleteServingProcess(db, id).catch(() => undefined);
    },
  };
};

/** A process that serves, or was killed so lately that nobody knows yet. */
export interface ServingProcess {
  id: string;
  version?: string;
  host?: string;
  startedAt?: string;
  seenAt: string;
}

export const listProcesses = async (db: KeptKeyOptions['db']): Promise<ServingProcess[]> =>
  (await listServingProcesses(db, ALIVE_SECONDS)).map(({ id, version, host, started_at, seen_at }) => ({
    id,
    ...(version !== null && { version }),
    ...(host !== null && { host }),
    ...(started_at && { startedAt: started_at.toISOString() }),
    seenAt: seen_at.toISOString(),
  }));

export interface SealingProspect {
  /** Processes that serve. */
  alive: number;
  /** How many of them do not know the first SECRET_KEY, and could not open what it sealed. */
  unaware: number;
}

/** Finds how many processes could not open what the first SECRET_KEY would seal. */
export const findSealingProspect = async (options: KeptKeyOptions): Promise<SealingProspect> => {
  const fingerprint = await createFingerprint(options);
  const secretKey = fingerprint(options.secretKeys[0] ?? '');
  return countServingProcesses(options.db, { seconds: ALIVE_SECONDS, secretKey });
};

/**
 * Is called by a command before it seals anew. Where no process serves, nothing shows that the first SECRET_KEY is
 * right: the operator has to have `confirmed` it.
 * @throws StartError that says what to do.
 */
export const requireKnownFirstKey = async ({
  confirmed,
  ...options
}: KeptKeyOptions & { confirmed: boolean }): Promise<void> => {
  if (options.secretKeys.length < 2) return;
  const { alive, unaware } = await findSealingProspect(options);
  if (unaware > 0)
    throw new StartError(
      `nothing was sealed anew: the first SECRET_KEY is unknown to ${unaware} of ${alive} processes that served within ${ALIVE_SECONDS / 60} minutes. Append it to the list of every process first`,
    );
  if (alive === 0 && !confirmed)
    throw new StartError(
      'nothing was sealed anew: no process serves that knows the first SECRET_KEY. If it is right, add --yes: without it nobody opens this database any more',
    );
};

/** How many processes serve, or were killed so lately that nobody knows yet. */
export const countServing = async (db: KeptKeyOptions['db']): Promise<number> => {
  const { alive } = await countServingProcesses(db, { seconds: ALIVE_SECONDS, secretKey: '' });
  return alive;
};
