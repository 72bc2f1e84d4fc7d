import type { Kysely } from 'kysely';
import type { Picture } from '../../branding/picture/picture.ts';
import type { PictureEncoder } from '../../branding/picture/picture-encoder.ts';
import { contentName } from '../../branding/picture/picture-path.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { Logger } from '../../ground/logger.ts';
import {
  type DueLogo,
  deleteUnnamedLogos,
  findLogo,
  lockDueLogos,
  updateLogo,
  updateLogoFailure,
} from './client-logo.repository.ts';
import type { LogoDownload } from './logo-download.ts';

export interface ClientLogoServiceOptions {
  db: Kysely<Database>;
  encoder: PictureEncoder;
  download: LogoDownload;
  logger: Logger;
  now: () => Date;
}

export interface ClientLogoService {
  findLogo(name: string): Promise<Picture | undefined>;
  /** Fetches logos that are due and answers how many were due. A logo that fails is tried again later. */
  fetchDue(signal?: AbortSignal): Promise<number>;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Longer than a batch takes. */
const LEASE_MS = 5 * MINUTE_MS;
const BATCH = 10;

/** Whether the encoder is busy with people's pictures, which is no fault of the logo. */
const isBusy = (error: unknown) => error instanceof AppError && error.code === 'busy';

const later = (now: Date, ms: number) => new Date(now.getTime() + ms);

/** Fetches and encodes the logos of clients in the background, so that no browser calls the client's host. */
export const createClientLogoService = (options: ClientLogoServiceOptions): ClientLogoService => {
  const { db, encoder, download, logger, now } = options;

  const fetchOne = async (due: DueLogo, signal: AbortSignal): Promise<void> => {
    const { client_id, source } = due;
    try {
      const bytes = await encoder.toLogo(await download(source, signal));
      const due_at = later(now(), DAY_MS);
      await updateLogo(db, { client_id, source, name: contentName(client_id, bytes), bytes, due_at });
    } catch (error) {
      // The logo is due again once the lease ends.
      if (signal.aborted || isBusy(error)) return;
      const wait = Math.min(DAY_MS, MINUTE_MS * 4 ** due.failures);
      logger.warn({ clientId: client_id, err: error }, 'the logo of a client could not be had');
      await updateLogoFailure(db, due, later(now(), wait));
    }
  };

  return {
    findLogo: async (name) => {
      const bytes = await findLogo(db, name);
      return bytes && { type: 'image/png', bytes };
    },

    fetchDue: async (signal = new AbortController().signal) => {
      await deleteUnnamedLogos(db);
      const due = await lockDueLogos(db, { now: now(), until: later(now(), LEASE_MS), limit: BATCH });
      for (const logo of due) await fetchOne(logo, signal);
      return due.length;
    },
  };
};
