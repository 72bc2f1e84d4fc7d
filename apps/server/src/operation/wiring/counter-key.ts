import { createKeyOf, type KeyOf } from '../../ground/rate-limit/key-of.ts';
import { sealingKeys } from '../../ground/seal.ts';

/** Replaces identifiers in the keys of the counters of a server with these keys. */
export const createCounterKeyOf = (secretKeys: readonly string[]): KeyOf =>
  createKeyOf(sealingKeys(secretKeys, 'rate limits')[0]);
