import { setTimeout as wait } from 'node:timers/promises';
import { rotateSigningKeys } from '@candela/server/signing-key';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { createRelyingParty } from '../support/relying-party.ts';
import { createAttempts } from './attempts.ts';
import type { Drill } from './drill.ts';
import { startPlace } from './journeys.ts';

/** oauth4webapi, and so openid-client, fetches the keys again for an unknown one a minute after the last time. */
const OPENID_CLIENT_COOLDOWN_SECONDS = 60;

export const drill: Drill = {
  name: 'rotate-signing-keys',
  row: 'DR12',
  breaks:
    'the signing keys are rotated again and again while apps verify id_tokens and keep the keys they know',
  passes:
    'no signature fails, at apps that fetch keys again no sooner than their cooldown after the last time',
  limitSeconds: 120,
  fullLimitSeconds: 900,
  run: async (place) => {
    // An app that has just fetched the keys knows those of the next rotation, and asks again before the one after it.
    const interval = place.isFull ? OPENID_CLIENT_COOLDOWN_SECONDS + 1 : 5;
    const rotations = place.isFull ? 10 : 6;
    const cluster = await startPlace(place, { processes: 2 });
    const app = await cluster.registerApp();
    const { agent } = await cluster.signUp();
    const attempts = createAttempts();
    const kids = new Set<string>();
    const keys = createRemoteJWKSet(new URL(`${cluster.origin}/oauth/jwks`), {
      cooldownDuration: place.isFull ? 30_000 : (interval - 1) * 1000,
    });
    let isOver = false;

    const verify = async (idToken: string) => {
      const { protectedHeader } = await jwtVerify(idToken, keys, { issuer: cluster.origin });
      kids.add(protectedHeader.kid ?? '');
    };
    /** Links with a relying party, which verifies the signature too, and verifies again by jose. */
    const keepLinking = async (name: string, party: () => Promise<typeof app.rp>) => {
      for (; !isOver; await wait(200)) {
        await attempts.run(name, async () => {
          const { tokens } = await cluster.link(agent, await party());
          await verify(tokens.id_token ?? '');
        });
      }
    };
    const { origin: issuer } = cluster;
    const load = [
      keepLinking('tokens verified by jose and a new openid-client', () =>
        createRelyingParty({ issuer, ...app }),
      ),
      // One that lives on asks once in a minute, so that it only stands the long form.
      ...(place.isFull ? [keepLinking('by jose and one openid-client', async () => app.rp)] : []),
    ];
    for (let rotation = 1; rotation <= rotations; rotation += 1) {
      await wait(interval * 1000);
      await rotateSigningKeys({ db: cluster.db, secretKeys: [cluster.env.SECRET_KEY] });
      place.say(`rotated ${rotation} of ${rotations}; ${attempts.figures()}`);
    }
    await wait(interval * 1000);
    isOver = true;
    await Promise.all(load);
    return {
      passed: attempts.failed() === 0 && kids.size > rotations,
      figures: `${rotations} rotations ${interval} s apart, ${kids.size} keys seen; ${attempts.figures()}${attempts.failed() ? ` (${attempts.firstFailure()})` : ''}`,
    };
  },
};
