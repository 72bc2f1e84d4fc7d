import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { IdentifierKind } from '../../ground/identifier/identifier.ts';
import type { AccountIdentifierRow } from '../../person/account/account.table.ts';
import { boundSince } from '../../person/account/bound-since.ts';
import type { MessageBrand } from '../../person/delivery/code-message.ts';
import type { Delivery, MessageQueue } from '../../person/delivery/message-queue.ts';
import { addNotices } from '../../person/delivery/notices.ts';
import {
  deleteYoungerLosses,
  identifierChangeRows,
} from '../../person/identifier-change/identifier-change.repository.ts';
import { loseIdentifier, noteChange } from '../settings/identifier-loss.ts';
import { othersThan, outranks, type ProvenOwner } from './proven-owner.ts';

export interface DropOptions {
  messages: Pick<MessageQueue, 'add'>;
  now: () => Date;
}

export interface Dropped {
  /** Identifiers that are gone. */
  gone: AccountIdentifierRow[];
  /** Identifiers that go after 72 hours. */
  waiting: AccountIdentifierRow[];
  notices: Delivery[];
}

/**
 * Drops identifiers of the given kinds, except the proven one. It also voids what somebody who came after the proven
 * identifier may have prepared: changes that wait, and links that bring younger identifiers back.
 */
export const dropIdentifiers = async (
  trx: Kysely<Database>,
  { messages, now }: DropOptions,
  { account, identifiers, proven }: ProvenOwner,
  { kinds, brand }: { kinds: readonly IdentifierKind[]; brand: MessageBrand & { id: string } },
): Promise<Dropped> => {
  await identifierChangeRows.endOf(trx, account.id, { done_at: null });
  await deleteYoungerLosses(trx, account.id, boundSince(proven));
  const chosen = othersThan(proven, identifiers).filter(({ kind }) => kinds.includes(kind));
  const waiting = chosen.filter((row) => outranks(row, proven));
  const notices: Delivery[] = [];
  for (const row of chosen) {
    const waits = waiting.includes(row);
    if (!waits) await loseIdentifier(trx, row);
    const undo = waits && (await noteChange(trx, { old: row, waits, brand: brand.id }));
    const added = await addNotices(trx, messages, identifiers, {
      notice: waits ? `${row.kind}_unbind_waits` : `${row.kind}_unbound`,
      contact: row,
      ...(undo && { undo }),
      at: now(),
      locale: account.locale,
      brand,
    });
    notices.push(...added);
  }
  return { gone: chosen.filter((row) => !waiting.includes(row)), waiting, notices };
};
