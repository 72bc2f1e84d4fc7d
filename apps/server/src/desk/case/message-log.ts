import type { DeskMessage, DeskMessageList } from '@candela/contract';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { readCursor, toPage } from '../../ground/paging/page-cursor.ts';
import type { AccountRecord } from '../../person/account/account.repository.ts';
import { listSentMessages } from '../../person/delivery/sent-message.repository.ts';
import type { SentMessageRow } from '../../person/delivery/sent-message.table.ts';

const PAGE = 20;

const toMessage = (row: SentMessageRow, to: string, now: Date): DeskMessage => ({
  id: row.id,
  at: row.created_at.toISOString(),
  purpose: row.purpose,
  channel: row.channel,
  to,
  state: stateOf(row, now),
  ...(row.settled_at && { settledAt: row.settled_at.toISOString() }),
  tries: row.tries,
  ...(row.words !== null && { words: row.words }),
});

const stateOf = ({ state, given_up_at }: SentMessageRow, now: Date): DeskMessage['state'] => {
  if (state === 'dropped' || (state === 'waiting' && given_up_at <= now)) return 'expired';
  return state;
};

/**
 * The messages of the last 30 days to the contacts that the account has, newest first.
 * @throws AppError invalid_request for an `after` that no page named
 */
export const listMessages = async (
  db: Kysely<Database>,
  { identifiers }: AccountRecord,
  { after, now }: { after?: string | undefined; now: Date },
): Promise<DeskMessageList> => {
  const masks = new Map(identifiers.map(({ value }) => [hashToken(value), maskIdentifier(value)]));
  const choice = { limit: PAGE + 1, after: readCursor(after) };
  const { page, ...next } = toPage(
    await listSentMessages(db, [...masks.keys()], choice),
    PAGE,
    ({ id }) => id,
  );
  return { items: page.map((row) => toMessage(row, masks.get(row.recipient_hash) ?? '', now)), ...next };
};
