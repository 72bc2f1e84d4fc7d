import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { commandProgram } from '../support/programs.ts';
import { createAttempts } from './attempts.ts';
import type { Drill } from './drill.ts';
import { createJourneys, startPlace } from './journeys.ts';

const createSecret = () => randomBytes(32).toString('base64url');

export const drill: Drill = {
  name: 'rotate-secrets',
  breaks:
    'SECRET_KEY and COOKIE_KEYS are rotated in two phases over three processes under load, and the old key retired',
  passes: 'No token request, registration, sign-in or session fails',
  limitSeconds: 150,
  run: async (place) => {
    const cluster = await startPlace(place, { processes: 3 });
    const app = await cluster.registerApp();
    const serving = [...cluster.ports];
    const { signUp, signIn, signOn, refresh, useSession } = createJourneys(cluster, app, serving);
    const attempts = createAttempts();
    const person = await signUp();
    let over = false;

    const keepLink = async () => {
      let { refresh_token: token } = await signOn(person.agent);
      while (!over) {
        token = (await attempts.run('refreshes', () => refresh(token))) ?? token;
        await attempts.run('uses of the first session', () => useSession(person.agent));
      }
    };
    const comeAndGo = async () => {
      while (!over) {
        const newcomer = await attempts.run('registrations', signUp);
        if (!newcomer) continue;
        await attempts.run('sign-ins', () => signIn(newcomer.identifier));
        await attempts.run('sign-ons', () => signOn(newcomer.agent));
      }
    };

    /** Each process in turn leaves the balancer, ends, starts with `env` and returns. */
    const roll = async (what: string, env: Record<string, string>) => {
      place.say(what);
      for (const [index, port] of cluster.ports.entries()) {
        serving.splice(serving.indexOf(port), 1);
        await cluster.processes[index]?.stop();
        await cluster.restart(index, env);
        serving.push(port);
      }
    };
    const list = (...keys: string[]) => keys.join(',');
    const old = { secret: cluster.env.SECRET_KEY, cookie: cluster.env.COOKIE_KEYS };
    const fresh = { secret: createSecret(), cookie: createSecret() };
    const front = { SECRET_KEY: list(fresh.secret, old.secret), COOKIE_KEYS: list(fresh.cookie, old.cookie) };

    const loads = [keepLink(), comeAndGo(), comeAndGo()];
    await roll('the new keys are appended', {
      SECRET_KEY: list(old.secret, fresh.secret),
      COOKIE_KEYS: list(old.cookie, fresh.cookie),
    });
    await roll('the new keys are moved to the front', front);
    place.say('what the old key sealed is sealed anew');
    const { stdout } = await promisify(execFile)(process.execPath, [commandProgram, 'secrets', 'rotate'], {
      env: { ...cluster.env, ...front },
    });
    await roll('the old SECRET_KEY is taken away', { ...front, SECRET_KEY: fresh.secret });
    over = true;
    await Promise.all(loads);
    const failure = attempts.firstFailure();
    return {
      passed: attempts.failed() === 0 && cluster.faults().length === 0,
      figures: `9 restarts; ${stdout.trim()}; ${attempts.figures()}${failure ? `; first: ${failure}` : ''}`,
    };
  },
};
