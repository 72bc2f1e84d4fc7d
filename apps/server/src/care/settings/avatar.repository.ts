import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { SessionKey } from '../../person/session/session-key.ts';
import type { AvatarRow } from './avatar.table.ts';

export const findAvatar = (
  db: Kysely<Database>,
  name: string,
): Promise<Pick<AvatarRow, 'bytes' | 'content_type'> | undefined> =>
  db.selectFrom('avatar').select(['bytes', 'content_type']).where('name', '=', name).executeTakeFirst();

// Setting and removing a picture both lock the account first, so that they wait for each other.

/** An account, and the session in which it acts. */
export interface AvatarOwner extends SessionKey {
  accountId: string;
}

/** Replaces the picture of the account; false when it may not be used or the session has ended. */
export const upsertAvatar = async (
  db: Kysely<Database>,
  { accountId, brand, uid }: AvatarOwner,
  row: AvatarRow,
): Promise<boolean> => {
  const { numAffectedRows = 0n } = await sql`
    with owner as (
      update account set updated_at = ${row.created_at}
      where id = ${accountId} and status = 'active' and exists (
        select from session where brand = ${brand} and uid = ${uid} and account_id = ${accountId}
      )
      returning id
    )
    insert into avatar (account_id, name, bytes, content_type, created_at)
    select id, ${row.name}, ${row.bytes}::bytea, ${row.content_type}, ${row.created_at}::timestamptz from owner
    on conflict (account_id) do update set
      name = excluded.name, bytes = excluded.bytes,
      content_type = excluded.content_type, created_at = excluded.created_at`.execute(db);
  return numAffectedRows > 0n;
};

/** Removes the picture of the account; false where it has none. */
export const deleteAvatar = async (db: Kysely<Database>, accountId: string, now: Date): Promise<boolean> => {
  const { numAffectedRows = 0n } = await sql`
    with owner as (
      update account set updated_at = ${now}
      where id = ${accountId} and exists (select from avatar where account_id = ${accountId})
      returning id
    )
    delete from avatar using owner where avatar.account_id = owner.id`.execute(db);
  return numAffectedRows > 0n;
};
