import type { Logger } from '../../ground/logger.ts';
import { createWorkQueue } from '../../ground/work-queue.ts';
import { createDecodingProcess, type DecodingLimits, type DecodingTask } from './decoding-process.ts';
import { MAX_PIXELS } from './image-cost.ts';
import { formatOf, type StrippedImage } from './image-format.ts';
import { stripJpeg } from './jpeg-structure.ts';
import { stripPng } from './png-structure.ts';

const AVATAR_SIDE = 512;
const LOGO_SIDE = 256;
const MIB = 1024 * 1024;

/** How many pictures of one sender may wait; more are refused at once. */
const WAITING_EACH = 16;
/** How long a picture may wait: longer than a full queue of photos takes. */
const MAX_WAIT_MS = 10_000;

/** Above the cost of the most expensive picture that is decoded at all: 75 MB, and 0.3 s of a processor. */
const LIMITS: DecodingLimits = {
  cpuMs: 1_000,
  growthBytes: 80 * MIB,
  wallMs: 20_000,
  keptBytes: 32 * MIB,
  idleMs: 30_000,
};

/** Encodes pictures anew from anybody's bytes, so that only pixels come through. */
export interface PictureEncoder {
  /**
   * A square JPEG, at most 512 pixels wide.
   * @param from the sender: few pictures of one sender wait, and senders take turns
   * @throws AppError unsupported_media_type, image_unreadable, busy
   */
  toAvatar(bytes: Buffer, from?: string): Promise<Buffer>;
  /**
   * A PNG with its transparency, at most 256 pixels wide and high.
   * @throws AppError unsupported_media_type, image_unreadable, busy
   */
  toLogo(bytes: Buffer): Promise<Buffer>;
  /** Ends the decoding process. */
  close(): Promise<void>;
}

export interface PictureEncoderOptions {
  /** How many pictures may wait while one is decoded. */
  maxQueue: number;
  logger: Pick<Logger, 'error'>;
}

const strip = (bytes: Buffer): StrippedImage =>
  formatOf(bytes) === 'png' ? stripPng(bytes) : stripJpeg(bytes);

/** Checks the structure of a picture before a decoder sees it, and decodes one picture at a time, in a process apart. */
export const createPictureEncoder = ({ maxQueue, logger }: PictureEncoderOptions): PictureEncoder => {
  const enqueue = createWorkQueue({
    concurrency: 1,
    maxQueue,
    maxLane: WAITING_EACH,
    maxWaitMs: MAX_WAIT_MS,
  });
  const decoder = createDecodingProcess({
    limits: LIMITS,
    onFault: (why) => logger.error({ why }, 'pictures cannot be decoded'),
  });
  const decode = (task: Omit<DecodingTask, 'maxPixels'>, from?: string) =>
    enqueue(() => decoder.run({ ...task, maxPixels: MAX_PIXELS }), from);

  return {
    toAvatar: async (source, from) => {
      const { bytes, width, height } = strip(source);
      return decode({ bytes, into: 'avatar', side: Math.min(AVATAR_SIDE, width, height) }, from);
    },
    toLogo: async (source) => decode({ bytes: strip(source).bytes, into: 'logo', side: LOGO_SIDE }),
    close: () => decoder.close(),
  };
};
