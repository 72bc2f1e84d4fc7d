import type { DeskService, ServiceSpan } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Connection } from '../../ground/db/connect.ts';
import type { Database } from '../../ground/db/database.ts';
import { listAppliedMigrations } from '../../ground/db/migrate.ts';
import type { StaffAtWork } from '../desk-session/desk-session.service.ts';
import { recordLook } from '../record/record.service.ts';
import { findDatabaseFacts, sumEndedLinks, sumServiceCounts } from './service-count.repository.ts';
import { spanSteps, toFigures } from './service-figures.ts';

export interface ServiceOptions {
  db: Kysely<Database>;
  kind: Connection['kind'];
  /** What waits in the database. */
  findBacklog(): Promise<DeskService['backlog']>;
  /** The processes that serve, or were killed so lately that nobody knows yet. */
  listProcesses(): Promise<DeskService['processes']>;
}

export interface ServiceService {
  /** How the service fares; the look is recorded. */
  show(member: StaffAtWork, span?: ServiceSpan): Promise<DeskService>;
}

/** The database, its clock, and how long it took to answer. */
const askDatabase = async ({ db, kind }: ServiceOptions) => {
  const started = performance.now();
  const { at, version } = await findDatabaseFacts(db);
  const milliseconds = Math.round((performance.now() - started) * 10) / 10;
  const schema = (await listAppliedMigrations(db)).at(-1) ?? '';
  const named = kind === 'postgres' ? ('postgresql' as const) : ('embedded' as const);
  return { at, database: { kind: named, version, schema, milliseconds } };
};

export const createServiceService = (options: ServiceOptions): ServiceService => {
  const { db, findBacklog, listProcesses } = options;
  return {
    show: async (member, span = 'day') => {
      const { at, database } = await askDatabase(options);
      const { steps, seconds } = spanSteps[span];
      const first = Math.floor(at.getTime() / 1_000 / seconds) - steps + 1;
      const [processes, { queues, failingStreams }, counts, ended] = await Promise.all([
        listProcesses(),
        findBacklog(),
        sumServiceCounts(db, { first, seconds }),
        sumEndedLinks(db, { first, seconds }),
      ]);
      await recordLook(db, member.actor, { action: 'look-at-service' });
      return {
        at: at.toISOString(),
        processes,
        database,
        backlog: { queues, failingStreams },
        span,
        ...toFigures(counts, ended, { first, span }),
      };
    },
  };
};
