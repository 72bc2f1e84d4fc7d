import { createClientHealthService } from '../../clients/client-health/client-health.service.ts';
import { createClientRecords } from '../../clients/client-health/client-records.ts';
import { createChangeFeed } from '../../ground/db/change-feed.ts';
import { startClock } from '../../ground/db/clock.ts';
import { countLinks } from '../../link/grant/link-figures.ts';
import type { Foundation } from './foundation.ts';
import { wireRegistrations } from './registrations.ts';

export type WiredStorage = Awaited<ReturnType<typeof wireStorage>>;

/** Follows the clock and the changes of the database, and keeps registrations in caches that hear of changes. */
export const wireStorage = async (foundation: Omit<Foundation, 'now'>) => {
  const { connection, logger } = foundation;
  // The embedded database has the clock of this process.
  const clock = connection.kind === 'postgres' ? await startClock(connection.db, logger) : undefined;
  const changes = await createChangeFeed(connection, logger);
  const clientRecords = createClientRecords(connection);
  return {
    changes,
    clientRecords,
    clientHealth: createClientHealthService({
      db: connection.db,
      countLinks: (clientId) => countLinks(connection.db, clientId),
    }),
    ...(await wireRegistrations({ ...foundation, changes })),
    close: async () => {
      await clientRecords.flush().catch((err) => logger.warn({ err }, 'records of clients are lost'));
      await changes.close();
      await clock?.stop();
    },
  };
};
