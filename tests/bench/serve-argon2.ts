import { verify } from '@node-rs/argon2';
import { hashConcurrency } from '../../apps/server/src/person/credential/password-hasher.ts';
import { serveVerbs } from './verbs.ts';

interface Rounds {
  hash: string;
  password: string;
  count: number;
}

serveVerbs(
  {
    /** Only verifies a password repeatedly, as many at a time as the server does; returns the rate per second. */
    verifyPasswords: async ({ hash, password, count }: Rounds): Promise<number> => {
      const started = performance.now();
      let next = 0;
      const work = async () => {
        while (next++ < count) {
          if (!(await verify(hash, password))) throw new Error('the password is not the one of the hash');
        }
      };
      await Promise.all(Array.from({ length: hashConcurrency(1) }, work));
      return count / ((performance.now() - started) / 1000);
    },
  },
  { port: 0 },
);
