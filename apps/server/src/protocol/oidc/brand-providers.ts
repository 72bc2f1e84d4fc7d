import { setTimeout as wait } from 'node:timers/promises';
import type { Brand } from '../../branding/brand/brand.ts';
import type { ChangeFeed } from '../../ground/db/change-feed.ts';
import { isOutage } from '../../ground/db/outage.ts';
import type { Logger } from '../../ground/logger.ts';
import {
  loadSigningKeys,
  type PrivateJwk,
  type SigningKeyOptions,
} from '../../link/signing-key/signing-key.service.ts';
import type { BrandProvider } from './provider.ts';

/** How long a process waits to read the keys again, where it could not or does not hear of changes. */
const RETRY_MS = 1_000;

export interface BrandProvidersOptions extends SigningKeyOptions {
  brands: readonly Brand[];
  changes: Pick<ChangeFeed, 'on' | 'isLive'>;
  logger: Logger;
  createProvider(brand: Brand, signingKeys: readonly PrivateJwk[]): BrandProvider;
}

export interface BrandProviders {
  /** By the brand's id; not to be kept for longer than a request. */
  providers: ReadonlyMap<string, BrandProvider>;
  /** The keys of the issuers, those that sign first; not to be kept either. */
  signingKeys(): readonly PrivateJwk[];
  close(): Promise<void>;
}

const kidsOf = (keys: readonly PrivateJwk[]) => keys.map(({ kid }) => kid).join();

/**
 * The authorization server of each brand, made anew whenever the signing keys change in whichever process:
 * what is under way ends with the keys it began with.
 * @throws Error when no SECRET_KEY opens the keys.
 */
export const createBrandProviders = async (options: BrandProvidersOptions): Promise<BrandProviders> => {
  const { brands, changes, logger, createProvider } = options;
  const providers = new Map<string, BrandProvider>();
  const closing = new AbortController();
  const { signal } = closing;
  let held: readonly PrivateJwk[] = [];

  const load = async () => {
    const keys = await loadSigningKeys(options);
    if (kidsOf(keys) === kidsOf(held)) return;
    for (const brand of brands) providers.set(brand.id, createProvider(brand, keys));
    held = keys;
  };

  /** Of what was told: an outage is told once, until the keys were read again. */
  let told: string | undefined;
  const tell = (err: unknown) => {
    const what = isOutage(err) ? 'outage' : String(err);
    if (what === told) return;
    told = what;
    // An outage passes by itself, and those who use the keys go on with those that were read.
    if (isOutage(err)) logger.warn({ err }, 'the signing keys are not read anew while the database is away');
    else logger.error({ err }, 'the signing keys cannot be read');
  };

  let due = false;
  let running = true;
  const work = async () => {
    running = true;
    while (due && !signal.aborted) {
      due = false;
      try {
        await load();
        told = undefined;
      } catch (err) {
        tell(err);
        due = true;
        await wait(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
    running = false;
  };
  let working = Promise.resolve();
  const reload = () => {
    due = true;
    if (!running) working = work();
  };
  changes.on('signing_key', reload);
  await load();
  working = work();
  const unheard = setInterval(() => changes.isLive() || reload(), RETRY_MS);
  return {
    providers,
    signingKeys: () => held,
    close: async () => {
      clearInterval(unheard);
      closing.abort();
      await working;
    },
  };
};
