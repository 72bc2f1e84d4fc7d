import { type Kysely, sql } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('signing_key')
    .addColumn('activated_at', 'timestamptz')
    .addColumn('retired_at', 'timestamptz')
    .execute();
  await sql`update signing_key set activated_at = created_at where status = 'current'`.execute(db);
  await sql`update signing_key set retired_at = now() where status = 'previous'`.execute(db);
  await db.schema
    .createIndex('signing_key_one_next')
    .unique()
    .on('signing_key')
    .column('alg')
    .where(sql.ref('status'), '=', 'next')
    .execute();

  // Told when the transaction commits, to every process, whoever makes the change.
  await sql`
    create function tell_change() returns trigger language plpgsql as $$
    begin
      perform pg_notify(
        'candela_changes',
        coalesce(tg_argv[1], tg_table_name) || ':' ||
          (coalesce(to_jsonb(new), to_jsonb(old)) ->> tg_argv[0])
      );
      return null;
    end $$`.execute(db);
  for (const [table, key] of [
    ['client', 'id'],
    ['signing_key', 'kid'],
  ] as const) {
    await sql`
      create trigger tell_change after insert or update or delete on ${sql.table(table)}
      for each row execute function tell_change(${sql.lit(key)})`.execute(db);
  }
  // A logo is read with its client. What is only tried again is no change of it.
  await sql`
    create trigger tell_change after insert or update of name or delete on client_logo
    for each row execute function tell_change('client_id', 'client')`.execute(db);
};
