import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { firstInOrder } from './first-in-order.ts';

describeOnDatabases('the first rows in the order of their key', (connection) => {
  const key = ['brand', 'model', 'id_hash'];
  const insert = (many: number) =>
    sql`insert into oidc_model (brand, model, id_hash, payload, expires_at)
      select 'aurelia', 'Session', lpad(n::text, 4, '0'), '{}', now() from generate_series(1, ${sql.lit(many)}) as n`.execute(
      connection.db,
    );
  const remove = async (limit?: number) => {
    const where = sql<boolean>`model = 'Session'`;
    const chosen = firstInOrder({ table: 'oidc_model', key, where, ...(limit !== undefined && { limit }) });
    const rows = await connection.db.deleteFrom('oidc_model').where(chosen).returning('id_hash').execute();
    return rows.map(({ id_hash }) => id_hash).sort();
  };

  test('are chosen once, though the planner takes the table for empty', async () => {
    await insert(100);
    await connection.db.deleteFrom('oidc_model').execute();
    await sql`analyze oidc_model`.execute(connection.db);
    await insert(500);
    expect(await remove(3)).toEqual(['0001', '0002', '0003']);
    expect(await remove(2)).toEqual(['0004', '0005']);
    expect(await remove(0)).toEqual([]);
    expect(await remove()).toHaveLength(495);
  });
});
