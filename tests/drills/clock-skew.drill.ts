import { shiftedBy } from '../support/shift-clock.ts';
import { createAttempts } from './attempts.ts';
import type { Drill } from './drill.ts';
import { createJourneys, startPlace } from './journeys.ts';

/** Each process is the first once. */
const ROUNDS = 3;

export const drill: Drill = {
  name: 'clock-skew',
  row: 'DR7',
  breaks: 'The clocks of two of three processes are 60 s ahead and 60 s behind',
  passes: 'Everybody signs up, signs in and links across them; the two are not ready',
  limitSeconds: 120,
  run: async (place) => {
    const cluster = await startPlace(place, {
      processes: 3,
      own: [{}, { env: shiftedBy(60), unready: true }, { env: shiftedBy(-60), unready: true }],
    });
    const app = await cluster.registerApp();
    const attempts = createAttempts();
    for (let round = 0; round < ROUNDS; round += 1) {
      const at = (place: number) => cluster.ports[(round + place) % 3] ?? 0;
      const { signUp, signIn, signOn, refresh, useSession } = createJourneys(cluster, app, [
        at(0),
        at(1),
        at(2),
      ]);
      const person = await attempts.run('registrations', signUp);
      if (!person) continue;
      await attempts.run('sign-ins', () => signIn(person.identifier));
      const issued = await attempts.run('links', () => signOn(person.agent));
      let token = issued?.refresh_token;
      for (let hop = 0; hop < 3 && token; hop += 1) {
        const presented = token;
        token = await attempts.run('refreshes', () => refresh(presented));
      }
      for (const port of cluster.ports)
        await attempts.run('uses of a session', () => useSession(person.agent, port));
    }
    const states = await Promise.all(
      cluster.ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/readyz`)).status),
    );
    return {
      passed: attempts.failed() === 0 && states.join() === '200,503,503',
      figures: `${attempts.figures()}; /readyz ${states.join(', ')}${attempts.firstFailure() ?? ''}`,
    };
  },
};
