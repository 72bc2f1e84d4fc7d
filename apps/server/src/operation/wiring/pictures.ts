import { loadBrandLogos } from '../../branding/brand/brand-logo.ts';
import { createPictureEncoder } from '../../branding/picture/picture-encoder.ts';
import { createAvatarService } from '../../care/settings/avatar.service.ts';
import { createClientLogoService } from '../../clients/client/client-logo.service.ts';
import { createLogoDownload } from '../../clients/client/logo-download.ts';
import type { Foundation } from './foundation.ts';

const QUEUE = 32;

export type WiredPictures = Awaited<ReturnType<typeof wirePictures>>;

/**
 * Everything that encodes pictures, through one encoder.
 * @throws ConfigError when a brand's logo cannot be used.
 */
export const wirePictures = async ({ config, connection, logger, events, now }: Foundation) => {
  const { db } = connection;
  const encoder = createPictureEncoder({ maxQueue: QUEUE, logger });
  return {
    brandLogos: await loadBrandLogos(config.brands, encoder),
    logos: createClientLogoService({
      db,
      encoder,
      download: createLogoDownload({ privateHosts: config.logoHosts }),
      logger,
      now,
    }),
    avatars: createAvatarService({ db, encoder, brands: config.brands, events, now }),
    close: encoder.close,
  };
};
