import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/world.ts';
import { createAttempts } from './attempts.ts';
import type { Drill } from './drill.ts';
import { createJourneys, startPlace } from './journeys.ts';

const built = new URL('../../apps/server/dist/', import.meta.url).pathname;

const runRefused = (script: string, args: readonly string[], env: Record<string, string>) =>
  new Promise<boolean>((resolve) => {
    execFile(
      process.execPath,
      [join(built, script), ...args],
      { env, timeout: 50_000 },
      (error, _out, errors) => resolve(error?.code === 1 && /^SECRET_KEY /m.test(errors)),
    );
  });

export const drill: Drill = {
  name: 'wrong-secret-key',
  breaks: 'A process and two commands run beside healthy ones, with a wrong SECRET_KEY and with none',
  passes: 'All are refused and name the setting; every app goes on, and a process starts again',
  limitSeconds: 60,
  run: async (place) => {
    const cluster = await startPlace(place, { processes: 2 });
    const app = await cluster.registerApp();
    const directory = await mkdtemp(join(tmpdir(), 'candela-drill-'));
    place.onEnd(() => rm(directory, { recursive: true, force: true }));
    const clientsFile = join(directory, 'clients.json');
    await writeFile(
      clientsFile,
      JSON.stringify([
        { client_id: app.clientId, client_secret: app.clientSecret, redirect_uris: [app.redirectUri] },
      ]),
    );
    const { SECRET_KEY: _key, COOKIE_KEYS, ...env } = cluster.env;
    const common = { ...env, CLIENTS_FILE: clientsFile, PORT: String(await freePort()), DATA_DIR: directory };
    const settings = [
      { ...common, COOKIE_KEYS, SECRET_KEY: randomBytes(32).toString('base64url') },
      { ...common, DATA_DIR: join(directory, 'fresh') },
    ];
    const runs = settings.flatMap((setting) =>
      [['main.js'], ['cli.js', 'client', 'apply', clientsFile], ['cli.js', 'keys', 'rotate']].map(
        ([script = '', ...args]) => runRefused(script, args, setting),
      ),
    );

    const attempts = createAttempts();
    const { signUp, signOn, refresh } = createJourneys(cluster, app, cluster.ports);
    const { agent } = await signUp();
    let { refresh_token: token } = await signOn(agent);
    let over = false;
    const load = async () => {
      while (!over) {
        token = (await attempts.run('refreshes', () => refresh(token))) ?? token;
        await attempts.run('sign-ons', () => signOn(agent));
      }
    };
    const loading = load();
    const refused = (await Promise.all(runs)).filter(Boolean).length;
    over = true;
    await loading;
    await cluster.processes[1]?.stop();
    await cluster.restart(1);
    await attempts.run('refreshes', () => refresh(token));
    return {
      passed: refused === runs.length && attempts.failed() === 0,
      figures: `${refused} of ${runs.length} refused; ${attempts.figures()}; a restart succeeded`,
    };
  },
};
