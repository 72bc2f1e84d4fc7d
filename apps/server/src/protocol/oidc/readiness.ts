import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { runInLane } from '../../ground/db/lane.ts';
import { listPendingMigrations } from '../../ground/db/migrate.ts';
import type { Writability } from '../../ground/db/writability.ts';
import { listSigningKeys } from '../../link/signing-key/signing-key.repository.ts';
import type { BrandProvider } from './provider.ts';

/** Load balancers wait at least so long for an answer. */
const DEADLINE_MS = 2_000;

export interface ReadinessOptions {
  db: Kysely<Database>;
  providers: ReadonlyMap<string, BrandProvider>;
  writability: Pick<Writability, 'takesWrites'>;
}

/** The id of no token: ids have other lengths. */
const NO_TOKEN = 'readiness';

/** Resolves to false after `milliseconds`, whatever becomes of `work`. */
const within = async (milliseconds: number, work: Promise<boolean>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

/**
 * Whether this process can issue tokens: each brand's tokens are found as the token endpoint finds them, there is a key
 * to sign by, the schema is this release's, and the database takes writes. It is not ready where that takes longer than
 * 2 s.
 */
export const createReadiness =
  ({ db, providers, writability }: ReadinessOptions) =>
  (): Promise<boolean> => {
    const look = async () => {
      const [keys, pending, takesWrites] = await Promise.all([
        listSigningKeys(db),
        listPendingMigrations(db),
        writability.takesWrites(),
        ...[...providers.values()].flatMap(({ provider }) => [
          provider.AccessToken.find(NO_TOKEN),
          provider.RefreshToken.find(NO_TOKEN),
        ]),
      ]);
      return takesWrites && pending.length === 0 && keys.some(({ status }) => status === 'current');
    };
    return within(
      DEADLINE_MS,
      runInLane('reserved', look).catch(() => false),
    );
  };
