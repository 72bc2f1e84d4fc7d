import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { commandProgram } from '../support/programs.ts';
import { shiftedBy } from '../support/shift-clock.ts';
import { createAttempts } from './attempts.ts';
import type { Drill } from './drill.ts';
import { createJourneys, startPlace } from './journeys.ts';

const TEN_YEARS = 10 * 365 * 86_400;
const PEOPLE = 2;

export const drill: Drill = {
  name: 'clock-ahead',
  row: 'DR7',
  breaks: 'The clock of one of three processes, and of a sweep by command, is ten years ahead',
  passes: 'No session, grant, link or key is deleted, and that process is not ready, and says why',
  limitSeconds: 120,
  run: async (place) => {
    const cluster = await startPlace(place, {
      processes: 3,
      env: { KEY_ROTATION_DAYS: '90' },
      own: [{}, {}, { env: shiftedBy(TEN_YEARS), unready: true }],
    });
    const [first = 0, second = 0, far = 0] = cluster.ports;
    const app = await cluster.registerApp();
    const { signUp, signOn, refresh, useSession } = createJourneys(cluster, app, [first, second]);
    const people = [];
    for (let count = 0; count < PEOPLE; count += 1) {
      const { agent } = await signUp();
      people.push({ agent, token: (await signOn(agent)).refresh_token });
    }
    const count = async () => ({
      sessions: (await cluster.db.selectFrom('session').select('uid').execute()).length,
      grants: (await cluster.db.selectFrom('authorization_grant').select('id').execute()).length,
      links: (await cluster.db.selectFrom('refresh_token').select('id_hash').execute()).length,
      keys: (await cluster.db.selectFrom('signing_key').select('kid').execute())
        .map(({ kid }) => kid)
        .toSorted(),
    });
    const before = await count();
    const { stdout } = await promisify(execFile)(process.execPath, [commandProgram, 'sweep'], {
      env: { ...cluster.env, ...shiftedBy(TEN_YEARS) },
    });
    for (const { agent } of people) await useSession(agent, far);
    const after = await count();
    const attempts = createAttempts();
    const atFar = createJourneys(cluster, app, [far]);
    for (const { agent, token } of people) {
      const successor = await attempts.run('links refreshed there', () => atFar.refresh(token));
      await attempts.run('links refreshed elsewhere', () => refresh(successor ?? token));
      await attempts.run('sessions used', () => useSession(agent));
    }
    const states = await Promise.all(
      cluster.ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/readyz`)).status),
    );
    const isSaid = cluster.processes[2]?.output().includes('not ready: the clock of this process');
    const lost = JSON.stringify(before) !== JSON.stringify(after);
    return {
      passed: !lost && isSaid === true && attempts.failed() === 0 && states.join() === '200,200,503',
      figures: `${before.sessions} sessions, ${before.grants} grants, ${before.links} links and ${before.keys.length} keys before, ${lost ? JSON.stringify(after) : 'the same'} after, ${stdout.trim()}; ${attempts.figures()}; /readyz ${states.join(', ')}`,
    };
  },
};
