import type { Kysely } from 'kysely';
import type { Actor } from '../../clients/client/actor.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import type { Logger } from '../../ground/logger.ts';
import type { ClientRegistry } from '../client-registry/client-registry.service.ts';
import { RefusedRegistration } from '../client-registry/refusal.ts';
import {
  claimDocument,
  findDocument,
  type KnownDocument,
  upsertDocument,
} from './client-document.repository.ts';
import type { DocumentDownload } from './document-download.ts';
import { DocumentFault } from './document-fault.ts';
import type { DocumentLimits } from './document-limits.ts';
import { type DocumentHosts, documentUrlOf } from './document-url.ts';
import { type DocumentFields, documentFields, readDocument } from './read-document.ts';
import { createRecentFaults } from './recent-faults.ts';

export interface ClientDocumentServiceOptions {
  db: Kysely<Database>;
  hosts: DocumentHosts;
  registry: Pick<ClientRegistry, 'create' | 'update'>;
  download: DocumentDownload;
  limits: DocumentLimits;
  events: EventSink;
  logger: Logger;
  now: () => Date;
}

/** Clients that describe themselves at the URL that is their id. */
export interface ClientDocumentService {
  /** Whether the id is a URL whose document is taken. */
  takes(id: string): boolean;
  /**
   * Registers the client of a document that is not known, by what its document says. A known one whose document is due
   * is used as it is, and its document is fetched meanwhile; one that nobody has asked for in a while waits for the
   * fetch. While a fetch fails the registration stays as it was. Any other client id is left alone.
   * @param address of whoever asks.
   * @throws DocumentFault where the client is not known and its document is not taken.
   * @throws AppError rate_limited
   */
  bring(id: string, address: string): Promise<void>;
  /** Ends fetches that are under way. */
  close(): Promise<void>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Longer than a fetch takes. */
const CLAIM_MS = MINUTE_MS;
const FRESH_MS = { least: 5 * MINUTE_MS, usual: HOUR_MS, most: DAY_MS };
/** A registration that is due for longer was not in use: it may say by now who reads what people approve. */
const LONG_DUE_MS = HOUR_MS;

const later = (now: Date, ms: number) => new Date(now.getTime() + ms);

const freshMs = (seconds: number | undefined): number =>
  seconds === undefined ? FRESH_MS.usual : Math.min(FRESH_MS.most, Math.max(FRESH_MS.least, seconds * 1000));

const actor: Actor = { kind: 'document' };

/** What the registry refuses becomes a fault of the document, in the registry's words. */
const asFault = (error: unknown): unknown =>
  error instanceof AppError && error.cause instanceof RefusedRegistration
    ? new DocumentFault(`is not taken: ${error.cause.message}`)
    : error;

/** A field that the document no longer has is cleared. */
const toPatch = ({ client_id: _id, ...fields }: DocumentFields) => ({
  ...Object.fromEntries(documentFields.map((field) => [field, null])),
  ...fields,
});

const isUnknown = (error: unknown) => error instanceof AppError && error.code === 'not_found';

/** Registers what a document says, or changes the registration to it. @throws DocumentFault */
const store = async (
  options: Pick<ClientDocumentServiceOptions, 'db' | 'registry'>,
  fields: DocumentFields,
  isKnown: boolean,
): Promise<void> => {
  const { db, registry } = options;
  const { client_id: id } = fields;
  try {
    if (isKnown) await registry.update(actor, id, toPatch(fields));
    else await registry.create(actor, fields);
  } catch (error) {
    // The sweep may have deleted it meanwhile, and another process may have registered it.
    if (isKnown && isUnknown(error)) return store(options, fields, false);
    if (isKnown || !(await findDocument(db, id))) throw asFault(error);
  }
};

/** Makes the function that fetches a document and registers what it says by now. */
const createTaking =
  (options: ClientDocumentServiceOptions, signal: AbortSignal) =>
  /** @throws DocumentFault */
  async (id: string, isKnown: boolean): Promise<void> => {
    const { db, hosts, download, now } = options;
    const { text, freshSeconds } = await download(id, signal);
    await store(options, readDocument(id, text, hosts), isKnown);
    await upsertDocument(db, { id, dueAt: later(now(), freshMs(freshSeconds)), failures: 0 });
  };

type Running = Map<string, Promise<void>>;

/** Joins the work that is under way for a key, or begins it. */
const share = (running: Running, key: string, work: () => Promise<void>): Promise<void> => {
  const current = running.get(key);
  if (current) return current;
  const begun = work().finally(() => running.delete(key));
  running.set(key, begun);
  return begun;
};

export const createClientDocumentService = (options: ClientDocumentServiceOptions): ClientDocumentService => {
  const { db, hosts, limits, events, logger, now } = options;
  const closing = new AbortController();
  const take = createTaking(options, closing.signal);
  const faults = createRecentFaults();
  /** By client id. */
  const fetches: Running = new Map();
  /** By client id and address: the parallel requests of one address for one document count once. */
  const admissions: Running = new Map();

  const refuse = (id: string, fault: DocumentFault): void => {
    if (fault.cause instanceof Error)
      logger.info(
        { clientId: id, cause: fault.cause.message },
        'a client id metadata document was not fetched',
      );
    events.emit('client_document.refused', { clientId: id, detail: fault.message });
  };

  const register = (id: string): Promise<void> =>
    take(id, false).catch((error: unknown) => {
      if (error instanceof DocumentFault) {
        faults.add(id, error);
        refuse(id, error);
      }
      throw error;
    });

  /** A fetch that fails is tried again after 1, 2, 4 ... 60 minutes. */
  const refresh = async (id: string, failures: number): Promise<void> => {
    const isMine = await claimDocument(db, { id, now: now(), until: later(now(), CLAIM_MS) });
    if (!isMine) return;
    await take(id, true).catch(async (error: unknown) => {
      if (!(error instanceof DocumentFault)) throw error;
      if (closing.signal.aborted) return;
      refuse(id, error);
      const wait = Math.min(HOUR_MS, MINUTE_MS * 2 ** failures);
      await upsertDocument(db, { id, dueAt: later(now(), wait), failures: failures + 1 });
    });
  };

  const keepFresh = async (id: string, { due_at: dueAt, failures }: KnownDocument): Promise<void> => {
    const overdueMs = dueAt === null ? 0 : now().getTime() - dueAt.getTime();
    if (overdueMs < 0) return;
    const refreshed = share(fetches, id, () => refresh(id, failures));
    if (overdueMs > LONG_DUE_MS) return refreshed;
    refreshed.catch((err: unknown) =>
      logger.warn({ clientId: id, err }, 'a client id metadata document was not fetched'),
    );
  };

  return {
    takes: (id) => documentUrlOf(id, hosts) !== undefined,

    bring: async (id, address) => {
      const url = documentUrlOf(id, hosts);
      if (!url) return;
      const known = await findDocument(db, id);
      if (known) return known.source === 'document' ? keepFresh(id, known) : undefined;
      faults.check(id);
      if (!fetches.has(id)) await share(admissions, `${id} ${address}`, () => limits(url.host, address));
      await share(fetches, id, () => register(id));
    },

    close: async () => {
      closing.abort();
      await Promise.allSettled(fetches.values());
    },
  };
};
