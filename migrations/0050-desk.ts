import { type Kysely, sql } from 'kysely';

const createStaff = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('staff')
    .addColumn('account_id', 'text', (column) =>
      column.primaryKey().references('account.id').onDelete('cascade'),
    )
    // viewer, support, operator
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('allowed_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute();
  await db.schema
    .createTable('desk_session')
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('session_uid', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('staff.account_id').onDelete('cascade'),
    )
    .addColumn('started_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('desk_session_pkey', ['brand', 'session_uid'])
    .addForeignKeyConstraint(
      'desk_session_session',
      ['brand', 'session_uid'],
      'session',
      ['brand', 'uid'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await db.schema.createIndex('desk_session_account').on('desk_session').column('account_id').execute();
  await db.schema.createIndex('desk_session_expiry').on('desk_session').column('expires_at').execute();
};

/** What staff and the command line looked at and did. Rows are added, and neither changed nor deleted. */
const createRecord = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('staff_record')
    .addColumn('entry', 'bigint', (column) => column.primaryKey())
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    // staff, command
    .addColumn('actor_kind', 'text', (column) => column.notNull())
    .addColumn('actor_account', 'text')
    .addColumn('actor_name', 'text', (column) => column.notNull())
    .addColumn('actor_role', 'text')
    .addColumn('action', 'text', (column) => column.notNull())
    // No key: what staff did to an account outlives it.
    .addColumn('account_id', 'text')
    .addColumn('subject', 'text')
    .addColumn('reason', 'text')
    // An address, or the host of a command.
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('previous_hash', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute();
  for (const column of ['account_id', 'actor_account', 'action'])
    await db.schema
      .createIndex(`staff_record_${column}`)
      .on('staff_record')
      .columns([column, 'entry'])
      .execute();
  // The last entry. Its row is the lock under which entries follow each other.
  await db.schema
    .createTable('staff_record_head')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('entry', 'bigint', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute();
  await sql`
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'rows of % are neither changed nor deleted', tg_table_name;
    end $$`.execute(db);
  await sql`
    create trigger refuse_change before update or delete or truncate on staff_record
    for each statement execute function refuse_change()`.execute(db);
};

const createChecks = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('caller_check')
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('staff_id', 'text', (column) =>
      column.notNull().references('staff.account_id').onDelete('cascade'),
    )
    // code, digits
    .addColumn('way', 'text', (column) => column.notNull())
    .addColumn('contact', 'text')
    .addColumn('answer_hash', 'text', (column) => column.notNull())
    // The person reads them; null of a code.
    .addColumn('digits', 'text')
    .addColumn('tries_left', 'integer', (column) => column.notNull())
    // asked, right, wrong
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('caller_check_pkey', ['account_id', 'staff_id'])
    .execute();
  await db.schema.createIndex('caller_check_staff').on('caller_check').column('staff_id').execute();
  await db.schema.createIndex('caller_check_expiry').on('caller_check').column('expires_at').execute();

  await db.schema
    .createTable('shown_contact')
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('staff_id', 'text', (column) =>
      column.notNull().references('staff.account_id').onDelete('cascade'),
    )
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('shown_contact_pkey', ['account_id', 'staff_id', 'value'])
    .execute();
  await db.schema.createIndex('shown_contact_staff').on('shown_contact').column('staff_id').execute();
  await db.schema.createIndex('shown_contact_expiry').on('shown_contact').column('expires_at').execute();
};

const createApprovals = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('desk_approval')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().unique().references('account.id').onDelete('cascade'),
    )
    .addColumn('asked_by', 'text', (column) =>
      column.notNull().references('staff.account_id').onDelete('cascade'),
    )
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('desk_approval_asker').on('desk_approval').column('asked_by').execute();
  await db.schema.createIndex('desk_approval_expiry').on('desk_approval').column('expires_at').execute();

  await db.schema
    .createTable('account_note')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('written_by', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .execute();
  await db.schema
    .createIndex('account_note_of_account')
    .on('account_note')
    .columns(['account_id', 'created_at'])
    .execute();
};

/** What became of each message, without its text, and without whom it went to. */
const createSentMessages = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('sent_message')
    .addColumn('id', 'text', (column) => column.primaryKey())
    // The digest of the canonical address.
    .addColumn('recipient_hash', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('purpose', 'text', (column) => column.notNull())
    // waiting, taken, refused, dropped
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('words', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('settled_at', 'timestamptz')
    .addColumn('given_up_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('sent_message_recipient')
    .on('sent_message')
    .columns(['recipient_hash', 'created_at'])
    .execute();
  await db.schema.createIndex('sent_message_created_at').on('sent_message').column('created_at').execute();
};

/** The desk: staff, what they find, check and do, and the record of it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await createStaff(db);
  await createRecord(db);
  await createChecks(db);
  await createApprovals(db);
  await createSentMessages(db);
  // What is looked up by hand: a reference of an error page, the name of a client, the limits of an account.
  await db.schema.createIndex('client_error_reference').on('client_error').column('reference').execute();
  await sql`create index client_name on client (lower(metadata->>'client_name'))`.execute(db);
  await sql`create index rate_limit_name on rate_limit (key collate "C")`.execute(db);
};
