import sharp, { type Sharp } from 'sharp';
import type { DecodingAnswer, DecodingTask } from './decoding-process.ts';

// The body of the process of decoding-process.ts, the only one that loads the decoders.

sharp.cache(false);
sharp.concurrency(1);
// The other formats' decoders are never reached, whatever the bytes are taken for.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng'] });

const open = ({ bytes, maxPixels }: DecodingTask): Sharp =>
  sharp(bytes, { limitInputPixels: maxPixels, autoOrient: true })
    // Without a profile that says otherwise colours are those of sRGB; metadata is left out by not asking for it.
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

// It ends with the server, at once: what it decodes is for nobody any more.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// A terminal or a supervisor signals a whole group of processes, and the server still drains.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

answer({ ready: true });
