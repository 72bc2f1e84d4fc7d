import type { StrongClass } from '@candela/contract/rules/authentication-classes';
import { sealingKeys } from '../../ground/seal.ts';
import { inUseFirst } from '../../link/pairwise-salt/pairwise-salt.service.ts';
import { listPasskeys } from '../../person/passkey/passkey.repository.ts';
import { classOf } from '../../person/passkey/passkey.ts';
import { createRecoveryWaitService } from '../../person/recovery-wait/recovery-wait.service.ts';
import { createSecondFactorService, waysOf } from '../../person/second-factor/second-factor.service.ts';
import { totpSealing } from '../../person/second-factor/totp-sealing.ts';
import { createTrustedBrowserService } from '../../person/trusted-browser/trusted-browser.service.ts';
import { createFingerprint } from '../secret-key/kept-key.service.ts';
import type { Foundation } from './foundation.ts';
import type { WiredProofs } from './proofs.ts';

/** The second factor of accounts, and what stands for it. */
export const wireFactors = async (
  { config: { secretKeys }, connection: { db }, events, now }: Foundation,
  { messages }: Pick<WiredProofs, 'messages'>,
) => {
  // Every process opens what is sealed under the key in use, and compares by the same fingerprints.
  const totpKeys = sealingKeys(await inUseFirst({ db, secretKeys }), totpSealing);
  const fingerprint = await createFingerprint({ db, secretKeys });
  const secondFactors = createSecondFactorService({ db, totpKeys, fingerprint, messages, events, now });
  return {
    totpKeys,
    fingerprint,
    secondFactors,
    /** What passes the second factor of an account. */
    secondFactorWays: async (accountId: string, rpId: string, atLeast?: StrongClass) => {
      const own = (await listPasskeys(db, accountId)).filter(({ rp_id }) => rp_id === rpId);
      return waysOf(await secondFactors.find(accountId), { passkeys: own.map(classOf), atLeast });
    },
    trustedBrowsers: createTrustedBrowserService({ db, events, now }),
    recoveryWaits: createRecoveryWaitService({ db, messages, events, now }),
  };
};
