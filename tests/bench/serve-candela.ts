import { readFileSync } from 'node:fs';
import { createApp } from '@candela/server';
import { readConfig } from '@candela/server/config';
import { connect } from '@candela/server/db/connect';
import { migrate } from '@candela/server/db/migrate';
import { createLogger } from '@candela/server/logger';
import { every, type Loop } from '../../apps/server/src/ground/loop/every.ts';
import { createSweepTurn } from '../../apps/server/src/operation/sweep.ts';
import { webDist } from '../support/world.ts';
import { serveVerbs } from './verbs.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../../apps/server/package.json', import.meta.url), 'utf8'),
);

// Any free port will do: the origin is configured separately.
const config = { ...readConfig(), port: 0 };
const connection = await connect({ databaseUrl: config.databaseUrl, dataDir: config.dataDir });
await migrate(connection.db);
const logger = createLogger(config.logLevel);
const app = await createApp({
  config,
  connection,
  logger,
  webDist,
  version,
  print: () => undefined,
});
const port = await app.listen();
let sweeping: Loop | undefined;

serveVerbs(
  {
    registerClients: (entries: unknown) => app.registry.apply({ kind: 'operator' }, entries),
    /** The server’s own sweep, without the minute before its first run. */
    startSweeping: () => {
      const onFailure = (err: unknown) => logger.warn({ err }, 'sweep failed');
      sweeping = every(0.5, createSweepTurn(connection.db, logger), { onFailure });
    },
    stopSweeping: () => sweeping?.stop(),
  },
  { port },
);
