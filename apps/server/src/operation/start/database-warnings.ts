import type { Connection } from '../../ground/db/connect.ts';
import { listLeftBrands } from '../../link/moved-link/moved-link.repository.ts';
import type { Config } from '../config/config.ts';
import { findPoolWarnings } from './pool-warnings.ts';

/** Warns of brands that homes are linked to and that are not served: one whose id was changed, for example. */
const findBrandWarnings = async ({ brands }: Pick<Config, 'brands'>, { db }: Connection): Promise<string[]> =>
  (
    await listLeftBrands(
      db,
      brands.map(({ id }) => id),
    )
  ).map(
    (id) =>
      `BRANDS_FILE: there are links of the brand "${id}", which is not served. Their refreshes are answered 503 until it is: an id never changes`,
  );

/** Warns of settings that do not go with what is in the database. */
export const findDatabaseWarnings = async (config: Config, connection: Connection): Promise<string[]> => [
  ...(await findPoolWarnings(config, connection)),
  ...(await findBrandWarnings(config, connection)),
];
