import sharp, { type Sharp } from 'sharp';
import type { DecodingAnswer, DecodingTask } from './decoding-process.ts';

// The program of the process that decoding-process.ts starts: the only process that loads the decoders.

sharp.cache(false);
sharp.concurrency(1);
// Blocks the decoders of other formats, whatever format the bytes pretend to have.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng'] });

const open = ({ bytes, maxPixels }: DecodingTask): Sharp =>
  sharp(bytes, { limitInputPixels: maxPixels, autoOrient: true })
    // A picture without a profile counts as sRGB. Metadata is left out by default.
    .toColourspace('srgb');

const encode = (task: DecodingTask): Promise<Buffer> => {
  const size = { width: task.side, height: task.side };
  const encoded =
    task.into === 'avatar'
      ? open(task)
          .resize({ ...size, fit: 'cover' })
          .flatten({ background: '#fff' })
          .jpeg({ quality: 86 })
      : open(task)
          .resize({ ...size, fit: 'inside', withoutEnlargement: true })
          .png({ compressionLevel: 9 });
  return encoded.toBuffer();
};

const answer = (message: DecodingAnswer) => process.send?.(message);

process.on('message', async (task: DecodingTask) => {
  answer(
    await encode(task).then(
      (bytes) => ({ bytes }),
      (error: Error) => ({ failure: error.message }),
    ),
  );
});

// Ends at once with the server: nobody needs its result any more.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// A terminal or a supervisor signals the whole process group, while the server still drains.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

answer({ ready: true });
