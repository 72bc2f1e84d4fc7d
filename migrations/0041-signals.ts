import { type Kysely, sql } from 'kysely';

/** Streams of signals, what waits in them, and links that ended. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('signal_stream')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    // urn:ietf:rfc:8935, urn:ietf:rfc:8936, webhook, google
    .addColumn('delivery_method', 'text', (column) => column.notNull())
    .addColumn('endpoint_url', 'text')
    .addColumn('authorization_header_sealed', 'text')
    // A JSON array, newest first. More than one while a secret turns over.
    .addColumn('webhook_secrets_sealed', 'text')
    .addColumn('events_requested', sql`text[]`, (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('status', 'text', (column) => column.notNull().defaultTo('enabled'))
    .addColumn('status_reason', 'text')
    // all: every account that concerns the client; named: those of signal_subject.
    .addColumn('subjects', 'text', (column) => column.notNull().defaultTo('all'))
    // Since when no delivery succeeded; null where the last one did.
    .addColumn('failing_since', 'timestamptz')
    .addColumn('verified_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addUniqueConstraint('signal_stream_client', ['client_id', 'brand'])
    .execute();
  await db.schema
    .createTable('signal_subject')
    .addColumn('stream_id', 'text', (column) =>
      column.notNull().references('signal_stream.id').onDelete('cascade'),
    )
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    // False: taken out of a stream of all.
    .addColumn('included', 'boolean', (column) => column.notNull())
    .addPrimaryKeyConstraint('signal_subject_pkey', ['stream_id', 'account_id'])
    .execute();
  await db.schema.createIndex('signal_subject_account').on('signal_subject').column('account_id').execute();
  await db.schema
    .createTable('signal')
    // The order of delivery.
    .addColumn('id', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity())
    .addColumn('jti', 'text', (column) => column.notNull().defaultTo(sql`gen_random_uuid()::text`))
    .addColumn('stream_id', 'text', (column) =>
      column.notNull().references('signal_stream.id').onDelete('cascade'),
    )
    // No key: a signal of a deleted account outlives it. Null: about the stream itself.
    .addColumn('account_id', 'text')
    // The session as the client knows it; null: the event is about the account.
    .addColumn('sid', 'text')
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('payload', 'jsonb', (column) => column.notNull().defaultTo(sql`'{}'::jsonb`))
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('due_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    // Null while it waits.
    .addColumn('settled_at', 'timestamptz')
    // How the last try ended: told, refused, timed_out, not_taken; null before.
    .addColumn('outcome', 'text')
    .addColumn('outcome_status', 'integer')
    .addColumn('outcome_detail', 'text')
    .addColumn('outcome_ms', 'integer')
    .execute();
  await sql`create index signal_waiting on signal (stream_id, account_id, id) where settled_at is null`.execute(
    db,
  );
  await sql`create index signal_due on signal (stream_id, due_at) where settled_at is null`.execute(db);
  await db.schema.createIndex('signal_jti').on('signal').column('jti').unique().execute();
  await db.schema.createIndex('signal_of_stream').on('signal').columns(['stream_id', 'id']).execute();
  await db.schema.createIndex('signal_of_account').on('signal').column('account_id').execute();
  await db.schema.createIndex('signal_created_at').on('signal').column('created_at').execute();
  // Of one transaction the notices of a stream are alike, and alike ones are told once.
  await sql`
    create trigger tell_change after insert on signal
    for each row execute function tell_change('stream_id')`.execute(db);

  await db.schema
    .createTable('ended_link')
    .addColumn('brand', 'text', (column) => column.notNull())
    // Of the grant.
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('label', 'text')
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('since', 'timestamptz', (column) => column.notNull())
    .addColumn('ended_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint('ended_link_pkey', ['brand', 'id'])
    .execute();
  await db.schema
    .createIndex('ended_link_of_account')
    .on('ended_link')
    .columns(['account_id', 'ended_at'])
    .execute();
  await db.schema
    .createIndex('ended_link_of_client')
    .on('ended_link')
    .columns(['client_id', 'ended_at'])
    .execute();
  await db.schema.createIndex('ended_link_ended_at').on('ended_link').column('ended_at').execute();

  // What the person calls the link.
  await db.schema.alterTable('authorization_grant').addColumn('label', 'text').execute();
};
