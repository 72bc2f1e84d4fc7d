import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { startCluster } from '../support/cluster.ts';
import type { Drill } from './drill.ts';
import { startFlows } from './flows.ts';
import { startWatch } from './watch.ts';

const PEOPLE = 3;
const BUSY_MS = 4_000;

export const drill: Drill = {
  name: 'altered-tables',
  row: 'DR5',
  breaks:
    'a column is added to every table while two processes are busy, as the migration of a next release does',
  passes: 'no request fails, before or after',
  limitSeconds: 60,
  run: async (place) => {
    const postgres = await place.startPostgres({ shared_buffers: '64MB' });
    const cluster = await startCluster({ databaseUrl: await postgres.createDatabase('drill'), processes: 2 });
    place.onEnd(() => cluster.close());
    const watch = await startWatch(cluster);
    const flows = await startFlows(cluster, { atOnce: PEOPLE });
    await wait(BUSY_MS);
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' order by tablename`.execute(
      cluster.db,
    );
    for (const { name } of rows)
      await sql`alter table ${sql.table(name)} add column of_a_drill text`.execute(cluster.db);
    place.say(`a column was added to ${rows.length} tables`);
    await wait(BUSY_MS);
    await flows.stop();
    const { alive, of } = await watch.stop();
    const { failed, flows: count } = await flows.examine();
    const faults = cluster.faults().length;
    return {
      passed: watch.tally.beside(200, 303) === 0 && failed === 0 && alive === of && faults === 0,
      figures: `${rows.length} tables; requests: ${watch.tally}; ${count} people registered and signed in, ${failed} failed; ${faults} faults logged`,
    };
  },
};
