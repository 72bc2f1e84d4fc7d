import { resolve } from 'node:path';
import { createReader, type Env, type EnvironmentReader } from './environment-reader.ts';
import { ownEnvironment } from './own-environment.ts';

export const readDataDir = ({ text }: Pick<EnvironmentReader, 'text'>): string =>
  resolve(text('DATA_DIR', './data'));

/**
 * The directory of the embedded database, of which a server may run that answers commands. It is all of the
 * environment that then counts, so nothing else is read or judged. undefined: the environment names PostgreSQL.
 */
export const readEmbeddedPlace = (env: Env = ownEnvironment()): string | undefined => {
  const problems: string[] = [];
  const reader = createReader(env, problems);
  const [databaseUrl, dataDir] = [reader.text('DATABASE_URL'), readDataDir(reader)];
  return databaseUrl || problems.length > 0 ? undefined : dataDir;
};
