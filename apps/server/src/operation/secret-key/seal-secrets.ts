import type { EventSink } from '../../ground/event/events.ts';
import type { Logger } from '../../ground/logger.ts';
import { type SecretKeyOptions, sealSecretsAnew } from './secret-key.service.ts';
import { findSealingProspect } from './serving-process.service.ts';

export interface SealingOptions extends SecretKeyOptions {
  logger: Logger;
  events: EventSink;
}

/**
 * Makes the work that seals under the first SECRET_KEY what an older one sealed. It does nothing while a process
 * that serves does not know the first key, and logs that once.
 */
export const createSealing = (options: SealingOptions): (() => Promise<void>) => {
  const { logger, events, secretKeys } = options;
  let isWaiting = false;
  return async () => {
    if (secretKeys.length < 2) return;
    const { alive, unaware } = await findSealingProspect(options);
    if (unaware > 0) {
      if (!isWaiting)
        logger.warn(
          { alive, unaware },
          'nothing is sealed anew: the first SECRET_KEY is not known to all processes that serve',
        );
      isWaiting = true;
      return;
    }
    isWaiting = false;
    const count = await sealSecretsAnew(options);
    if (count > 0) events.emit('secrets.sealed_anew', { count });
  };
};
