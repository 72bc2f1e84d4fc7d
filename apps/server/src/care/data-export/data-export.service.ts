import type { ExportState } from '@candela/contract';
import type { Kysely } from 'kysely';
import { databaseNow } from '../../ground/db/clock.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction, transact } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { createLease } from '../../ground/lease/lease.ts';
import { openWithAny, seal, sealingKeys } from '../../ground/seal.ts';
import { type AccountRecord, lockAccount } from '../../person/account/account.repository.ts';
import {
  deleteExport,
  exportSealing,
  findExport,
  insertExport,
  insertFile,
  listWaitingExports,
  takeFile,
} from '../../person/account-export/account-export.repository.ts';
import type { NewActivity } from '../../person/activity/activity.repository.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import type { MessageBrand } from '../../person/delivery/code-message.ts';
import type { MessageQueue } from '../../person/delivery/message-queue.ts';
import { addNotices, hearersOf } from '../../person/delivery/notices.ts';
import { lockOwnAccount } from '../../person/session/lock-own-account.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import { findNamedAccount } from '../account-status/named-account.ts';
import { type ExportFileOptions, makeExportFile } from './export-file.ts';

type Brand = MessageBrand & { id: string };

export interface DataExportOptions extends ExportFileOptions {
  messages: Pick<MessageQueue, 'add'>;
  events: EventSink;
  /** SECRET_KEY, newest first. */
  secretKeys: readonly string[];
  brands: readonly Brand[];
}

/** A file with everything about a person, which is prepared in the background and downloaded once. */
export interface DataExportService {
  /**
   * Asks for the file; a file that is being prepared goes on.
   * @throws AppError rate_limited within a day of the last one, account_disabled, not_signed_in
   */
  request(current: CurrentSession): Promise<ExportState>;
  /**
   * The same for staff: the file goes nowhere, and its person alone downloads it.
   * @throws AppError rate_limited, account_disabled, account_not_found
   */
  requestFor(accountId: string, brand: string): Promise<ExportState>;
  state(current: CurrentSession): Promise<ExportState>;
  /**
   * Takes the file: it is in the database no more.
   * @throws AppError not_found where none is ready, account_disabled, not_signed_in
   */
  download(current: CurrentSession): Promise<Uint8Array>;
  /** Prepares the files that are waited for, and answers how many. Of several processes one at a time does so. */
  prepareDue(signal?: AbortSignal): Promise<number>;
}

const BATCH = 20;
const LEASE_SECONDS = 60;
/** A row of the database is to stay small. */
const PIECE_BYTES = 256 * 1024;

const toPieces = (bytes: Uint8Array): string[] =>
  Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_, number) =>
    Buffer.from(bytes.subarray(number * PIECE_BYTES, (number + 1) * PIECE_BYTES)).toString('base64'),
  );

type Found = Awaited<ReturnType<typeof findExport>>;

const toState = (found: Found): ExportState => {
  if (!found) return { state: 'none' };
  const requestedAt = found.requested_at.toISOString();
  if (found.ready_at === null) return { state: 'preparing', requestedAt };
  if (found.pieces === 0) return { state: 'none', requestedAt };
  return { state: 'ready', requestedAt, expiresAt: found.expires_at.toISOString() };
};

/** @throws AppError account_disabled, account_not_found */
const requireActive = async (trx: Kysely<Database>, accountId: string): Promise<AccountRecord> => {
  const record = await lockAccount(trx, accountId);
  if (!record) throw new AppError('account_not_found');
  if (record.account.status === 'disabled') throw new AppError('account_disabled');
  return record;
};

/** A disabled account has a refusal of its own; its sessions have ended. */
const lockForExport = async (trx: Kysely<Database>, current: CurrentSession): Promise<AccountRecord> => {
  const record = await lockAccount(trx, current.accountId);
  if (record?.account.status === 'disabled') throw new AppError('account_disabled');
  return lockOwnAccount(trx, current);
};

/** Prepares one file; false where nobody waits for it any more. A disabled account gets none. */
const prepareOne = async (
  options: DataExportOptions,
  { accountId, brand }: { accountId: string; brand: Brand },
): Promise<boolean> => {
  const { db, messages, secretKeys, now } = options;
  const [key] = sealingKeys(secretKeys, exportSealing);
  const file = await makeExportFile(options, accountId, brand.name);
  if (!file) return false;
  const pieces = toPieces(file.bytes).map((piece) => seal(key, piece));
  const notices = await inTransaction(db, async (trx) => {
    const record = await lockAccount(trx, accountId);
    if (record?.account.status !== 'active') {
      await deleteExport(trx, accountId);
      return undefined;
    }
    if (!(await insertFile(trx, accountId, pieces))) return undefined;
    const { locale } = record.account;
    const notice = { notice: 'export_ready', at: now(), locale, brand } as const;
    return addNotices(trx, messages, hearersOf(record.identifiers), notice);
  });
  await Promise.all((notices ?? []).map((notice) => notice.start()));
  return notices !== undefined;
};

const prepareAll = async (options: DataExportOptions, mayGoOn: () => Promise<boolean>): Promise<number> => {
  const { db, brands } = options;
  const failures: unknown[] = [];
  let prepared = 0;
  for (const { account_id: accountId, brand: id } of await listWaitingExports(db, BATCH)) {
    if (!(await mayGoOn())) return prepared;
    const brand = brands.find((one) => one.id === id) ?? brands[0];
    if (!brand) continue;
    // A file that cannot be made does not hold up the others.
    const done = await prepareOne(options, { accountId, brand }).catch((error: unknown) => {
      failures.push(error);
      return false;
    });
    if (done) prepared += 1;
  }
  if (failures.length > 0) throw failures[0];
  return prepared;
};

export const createDataExportService = (options: DataExportOptions): DataExportService => {
  const { db, events, secretKeys } = options;
  const keys = sealingKeys(secretKeys, exportSealing);
  const lease = createLease(db, { name: 'exports', seconds: LEASE_SECONDS });

  const request = async (
    { accountId, brand }: { accountId: string; brand: string },
    lock: (trx: Kysely<Database>) => Promise<unknown>,
    noted: Pick<NewActivity, 'session' | 'brand'>,
  ): Promise<ExportState> => {
    const isNew = await transact(db, async (trx) => {
      await lock(trx);
      const found = await findExport(trx, accountId);
      if (found && found.ready_at === null) return false;
      if (found) {
        const waits = found.expires_at.getTime() - databaseNow().getTime();
        throw new AppError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(waits / 1000)) });
      }
      await insertExport(trx, { accountId, brand });
      await noteActivity(trx, { accountId, kind: 'export_requested', ...noted });
      return true;
    });
    const actor = noted.session ? undefined : 'operator';
    if (isNew) events.emit('export.requested', { accountId, brand, actor });
    return toState(await findExport(db, accountId));
  };

  return {
    request: (current) => request(current, (trx) => lockForExport(trx, current), { session: current }),

    requestFor: (accountId, brand) =>
      request({ accountId, brand }, (trx) => requireActive(trx, accountId), { brand }),

    state: async ({ accountId }) => toState(await findExport(db, accountId)),

    download: async (current) => {
      const { accountId, brand } = current;
      const sealed = await transact(db, async (trx) => {
        await lockForExport(trx, current);
        const taken = await takeFile(trx, accountId);
        if (taken.length === 0) throw new AppError('not_found');
        await noteActivity(trx, { accountId, kind: 'export_downloaded', session: current });
        return taken;
      });
      events.emit('export.downloaded', { accountId, brand });
      return Buffer.concat(sealed.map((piece) => Buffer.from(openWithAny(keys, piece), 'base64')));
    },

    prepareDue: async (signal) => {
      // Most of the time nobody waits: then there is nothing to lease.
      if ((await listWaitingExports(db, 1)).length === 0) return 0;
      const mayGoOn = (isHeld: () => Promise<boolean>) => async () => !signal?.aborted && isHeld();
      return (await lease.hold((isHeld) => prepareAll(options, mayGoOn(isHeld)))) ?? 0;
    },
  };
};

/**
 * The file of an account that an operator names by its id, or by an identifier as typed; also of a disabled one, whose
 * person asks by post.
 * @throws AppError account_not_found, and those of the identifier
 */
export const exportForOperator = async (
  options: ExportFileOptions & { events: EventSink },
  named: string,
  brand: string,
): Promise<{ id: string; bytes: Uint8Array }> => {
  const id = await findNamedAccount(options.db, named);
  const file = await makeExportFile(options, id, brand);
  if (!file) throw new AppError('account_not_found');
  options.events.emit('export.requested', { accountId: id, actor: 'operator' });
  return { id, bytes: file.bytes };
};
