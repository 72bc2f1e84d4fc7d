import { sealingKeys } from '../../ground/seal.ts';
import { createLegacySignIn } from '../../person/authentication/legacy-sign-in.ts';
import { createPasswordLimits } from '../../person/authentication/password-limits.ts';
import { createUnknownAccount } from '../../person/authentication/unknown-account.ts';
import {
  createPasswordHasher,
  type HashCost,
  hashConcurrency,
  hashQueue,
} from '../../person/credential/password-hasher.ts';
import { createPasswordPolicy } from '../../person/credential/password-policy.ts';
import { createGateways } from '../../person/delivery/gateways.ts';
import { createMessageQueue } from '../../person/delivery/message-queue.ts';
import { countingNotices } from '../../person/verification/notice-budget.ts';
import { createVerificationService } from '../../person/verification/verification.service.ts';
import { createCounterKeyOf } from './counter-key.ts';
import type { Foundation } from './foundation.ts';

export interface ProofsOptions extends Foundation {
  /** Prints a message that no gateway takes. */
  print: (line: string) => void;
  hashCost?: HashCost | undefined;
}

export type WiredProofs = ReturnType<typeof wireProofs>;

/** How people prove who they are: codes, which messages carry, and passwords. */
export const wireProofs = ({ config, connection, logger, events, now, print, hashCost }: ProofsOptions) => {
  const { db } = connection;
  const { secretKeys, codes: limits, unknownAccount: policy } = config;
  const queue = createMessageQueue({
    db,
    senders: createGateways({ ...config, now, print }),
    secretKeys,
    logger,
  });
  const keyOf = createCounterKeyOf(secretKeys);
  return {
    keyOf,
    verification: createVerificationService({
      db,
      messages: queue,
      keyOf,
      keys: sealingKeys(secretKeys, 'verification codes'),
      limits,
      now,
      unknownAccount: policy,
      events,
    }),
    /** Sends notices, within their budget. */
    messages: countingNotices({ db, messages: queue, limits, keyOf, now }),
    hasher: createPasswordHasher(hashQueue(hashConcurrency(config.workers)), hashCost),
    passwordLimits: createPasswordLimits({ db, keyOf, events, now }),
    legacySignIn: config.legacySignIn && createLegacySignIn({ ...config.legacySignIn, now }),
    passwordPolicy: createPasswordPolicy({
      profile: config.passwordProfile,
      brandNames: config.brands.map(({ name }) => name),
    }),
    unknownAccount: createUnknownAccount({ db, policy, keyOf, events, now }),
    countMessages: queue.counts,
    countGateways: queue.countries,
    close: queue.close,
  };
};
