import { readFileSync } from 'node:fs';
import { createApp } from '@candela/server';
import { readConfig } from '@candela/server/config';
import { connect } from '@candela/server/db/connect';
import { migrate } from '@candela/server/db/migrate';
import { createLogger } from '@candela/server/logger';
import { sweep } from '../../apps/server/src/sweep.ts';
import { webDist } from '../support/world.ts';
import { serveVerbs } from './verbs.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../../apps/server/package.json', import.meta.url), 'utf8'),
);

// Any free port will do: the origin is given apart.
const config = { ...readConfig(), port: 0 };
const connection = await connect({ databaseUrl: config.databaseUrl, dataDir: config.dataDir });
await migrate(connection.db);
const app = await createApp({
  config,
  connection,
  logger: createLogger(config.logLevel),
  webDist,
  version,
  print: () => undefined,
});
const port = await app.listen();

serveVerbs(
  {
    registerClients: (entries: unknown) => app.clients.applyClients(entries),
    /** One run of the sweep, as the server makes one every minute; how many rows went. */
    sweep: () => sweep(connection.db, new Date()),
  },
  { port },
);
