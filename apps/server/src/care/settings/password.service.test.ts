import { expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { codeOf, createTestIdentity } from '../../../testing/identity.ts';
import { builtInBrands } from '../../branding/brand/built-in.ts';
import { neighbourhoodOf } from '../../ground/rate-limit/address-key.ts';
import { createWorkQueue } from '../../ground/work-queue.ts';
import type { PasswordHasher } from '../../person/credential/password-hasher.ts';
import { createPasswordPolicy } from '../../person/credential/password-policy.ts';
import type { ProvenSession } from '../../person/step-up/proof.ts';
import { createPasswordService } from './password.service.ts';

describeOnDatabases('a new password', (connection) => {
  test('in a flood waits behind its own network, and leaves room for other networks', async () => {
    const { db } = connection;
    const world = createTestIdentity(db);
    const { id: accountId } = await world.signUp('ada@example.com');
    const enqueue = createWorkQueue({ concurrency: 1, maxQueue: 3, maxWaitMs: 60_000 });
    const held = Promise.withResolvers<string>();
    const hasher: PasswordHasher = {
      hash: (_, from) => enqueue(() => held.promise, from),
      verify: async () => false,
      verifyElsewhere: async () => false,
      needsRehash: () => false,
    };
    const passwords = createPasswordService({
      db,
      hasher,
      passwordPolicy: createPasswordPolicy({ profile: 'product', brandNames: [] }),
      messages: { add: async () => ({ start: async () => undefined }) },
      events: world.events,
      now: () => world.clock.at,
    });
    const current = {
      brand: 'aurelia',
      uid: 'gone',
      accountId,
      proofs: [] as readonly string[],
    } as ProvenSession;
    const change = (address: string) =>
      codeOf(
        passwords.setPassword(current, {
          password: 'starlight88',
          withdrawAuthorizations: false,
          browserId: undefined,
          address,
          brand: { ...builtInBrands[0], origin: 'https://id.aurelia.example' },
        }),
      );
    const flood = Array.from({ length: 4 }, () => hasher.hash('', neighbourhoodOf('203.0.113.1')));
    const outcomes = Promise.allSettled(flood);
    expect(await change('203.0.113.2')).toBe('busy');
    const other = change('198.51.100.1');
    await expect(flood[3]).rejects.toMatchObject({ code: 'busy' });
    held.resolve('hash');
    // The password was hashed, but the session had ended meanwhile.
    expect(await other).toBe('not_signed_in');
    expect((await outcomes).filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  });
});
