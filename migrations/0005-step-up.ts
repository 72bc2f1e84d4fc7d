import type { Kysely } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('step_up')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('brand', 'text', (column) => column.notNull())
    .addColumn('session_uid', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addForeignKeyConstraint(
      'step_up_session',
      ['brand', 'session_uid'],
      'session',
      ['brand', 'uid'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createIndex('step_up_session_uid')
    .on('step_up')
    .columns(['brand', 'session_uid'])
    .execute();
  await db.schema.createIndex('step_up_expiry').on('step_up').column('expires_at').execute();
};
