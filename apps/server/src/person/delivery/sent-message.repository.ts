import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { cursorAt, isAfter, type PageChoice } from '../../ground/paging/page-cursor.ts';
import { type SentMessageRow, sentMessageColumns } from './sent-message.table.ts';

/** Messages to these recipients, newest first; not those that were dropped. */
export const listSentMessages = async (
  db: Kysely<Database>,
  recipients: readonly string[],
  { limit, after }: PageChoice,
): Promise<(SentMessageRow & { cursor_at: string })[]> => {
  if (recipients.length === 0) return [];
  const query = db
    .selectFrom('sent_message')
    .select(sentMessageColumns)
    .select(cursorAt.as('cursor_at'))
    .where('recipient_hash', 'in', recipients)
    .where('state', '!=', 'dropped')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit);
  return (after ? query.where(isAfter('id', after)) : query).execute();
};

/** The last message to each of these recipients that a gateway took or refused. */
export const listLastSettled = async (
  db: Kysely<Database>,
  recipients: readonly string[],
): Promise<SentMessageRow[]> => {
  const found = await Promise.all(
    recipients.map((recipient) =>
      db
        .selectFrom('sent_message')
        .select(sentMessageColumns)
        .where('recipient_hash', '=', recipient)
        .where('state', 'in', ['taken', 'refused'])
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst(),
    ),
  );
  return found.filter((row) => row !== undefined);
};
