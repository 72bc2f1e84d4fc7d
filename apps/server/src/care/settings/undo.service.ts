import type { UndoDetails } from '@candela/contract';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import type { Kysely } from 'kysely';
import type { ProviderDirectory } from '../../federation/directory/provider-directory.ts';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import { databaseTime } from '../../ground/db/sql-time.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { lockAccount } from '../../person/account/account.repository.ts';
import type { MessageBrand } from '../../person/delivery/code-message.ts';
import type { MessageQueue } from '../../person/delivery/message-queue.ts';
import { identifierChangeRows } from '../../person/identifier-change/identifier-change.repository.ts';
import type { RecoveryWaitService } from '../../person/recovery-wait/recovery-wait.service.ts';
import { closeAccount, lookAtAddition, undoAddition } from './addition-undo.ts';
import { undoChange } from './change-undo.ts';

type NamedBrand = MessageBrand & { id: string };

export interface UndoOptions {
  db: Kysely<Database>;
  directory: Pick<ProviderDirectory, 'nameOf'>;
  messages: Pick<MessageQueue, 'add'>;
  events: EventSink;
  now: () => Date;
  recoveryWaits: Pick<RecoveryWaitService, 'look' | 'stopByLink'>;
}

/** The link in a notice, which works without a session: it undoes a change of an identifier, or stops a recovery. */
export interface UndoService {
  /** @throws AppError not_found once the link is used or over */
  look(token: string): Promise<UndoDetails>;
  /**
   * Binds the identifier as it was bound, or keeps it. The identifier that replaced it goes, all sessions end, all
   * browsers forget the account and its password is closed. Answers the identifier, as its owner typed it; none where a recovery was stopped. The
   * link works once.
   * @throws AppError not_found once the link is used or over; identifier_taken where another account has it now
   */
  undo(token: string, brand: NamedBrand, facts?: RequestFacts): Promise<{ identifier?: string }>;
}

const gone = () => new AppError('not_found');

export const createUndoService = (options: UndoOptions): UndoService => {
  const { db, events, now, recoveryWaits } = options;

  return {
    look: async (token) => {
      const wait = await recoveryWaits.look(token);
      if (wait) return wait;
      const addition = await lookAtAddition(options, token);
      if (addition) return addition;
      const change = await identifierChangeRows.find(db, { undo_hash: hashToken(token) }, databaseTime);
      if (!change) throw gone();
      const { kind, value, new_value, requested_at, due_at, done_at } = change;
      return {
        kind,
        identifier: maskIdentifier(value),
        ...(new_value !== null && { replacement: maskIdentifier(new_value) }),
        waits: done_at === null,
        requestedAt: requested_at.toISOString(),
        ...(done_at === null && { dueAt: due_at.toISOString() }),
        endsAt: due_at.toISOString(),
      };
    },

    undo: async (token, brand, facts) => {
      if (await recoveryWaits.stopByLink(token, brand)) return {};
      const taken = await undoAddition(options, token, { brand, facts });
      if (taken) return taken;
      const undoHash = hashToken(token);
      const found = await identifierChangeRows.find(db, { undo_hash: undoHash }, databaseTime);
      if (!found) throw gone();
      const { change, ended, notices } = await inTransaction(db, async (trx) => {
        const record = await lockAccount(trx, found.account_id);
        if (!record) throw gone();
        const undone = await undoChange(trx, options, record, { undoHash, at: now(), brand, facts });
        const values = [undone.change, ...record.identifiers].map(({ value }) => value);
        return { ...undone, ended: await closeAccount(trx, record.account.id, values) };
      });
      const { account_id: accountId, kind, display } = change;
      events.emit('identifier.change_undone', { accountId, kind });
      if (ended > 0) events.emit('sessions.ended', { accountId, count: ended });
      await Promise.all(notices.map((notice) => notice.start()));
      return { identifier: display };
    },
  };
};
