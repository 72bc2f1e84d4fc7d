import { type Kysely, sql } from 'kysely';

/**
 * What a link tells of itself: how often it was refreshed, and when it ends however often it is used. Only clients
 * with `refresh_family_ttl` have links with such an end, and none of a home.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('authorization_grant')
    // How often it was refreshed, by day (UTC): {"2026-11-25": 24}. Null before the first refresh.
    .addColumn('refreshes', 'jsonb')
    // When the person renewed it last.
    .addColumn('renewed_at', 'timestamptz')
    // When it ends however often it is used, as of its last use; null: it lasts as long as it is used.
    .addColumn('ends_at', 'timestamptz')
    // For how many days before the end the person was told last; null: not yet.
    .addColumn('end_told_days', 'integer')
    .execute();
  await sql`update authorization_grant set
      ends_at = authorization_grant.created_at + make_interval(secs => cast(client.metadata->>'refresh_family_ttl' as double precision))
    from client
    where client.id = authorization_grant.client_id and has_refresh_token
      and client.metadata->>'refresh_family_ttl' is not null`.execute(db);
  await sql`create index authorization_grant_ends on authorization_grant (ends_at) where ends_at is not null`.execute(
    db,
  );
};
