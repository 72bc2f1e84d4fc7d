import sharp from 'sharp';
import { expect, test } from 'vitest';
import { countScans, isAnimated } from './image-structure.ts';
import { createPictureEncoder } from './picture-encoder.ts';
import {
  addMetadata,
  createAnimatedPng,
  createJpegInScans,
  createOther,
  createPhoto,
  createPng,
  createTransparent,
  readPicture,
  readPixel,
  withSegment,
} from './testing.ts';

const createEncoder = () => createPictureEncoder({ concurrency: 1, maxQueue: 100 });
const encoder = createEncoder();

/** What a call costs: how long it took and how far the process grew meanwhile. */
const measure = async (work: () => Promise<unknown>) => {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 2);
  const started = performance.now();
  const code = await work().then(
    () => 'ok',
    (error) => error.code,
  );
  clearInterval(timer);
  return { code, ms: performance.now() - started, grownMb: (peak - before) / 1e6 };
};

test.each([
  [640, 480, 480],
  [3000, 2000, 512],
  [1, 1, 1],
  [2, 900, 2],
])('an avatar of %i x %i is a square of %i', async (width, height, side) => {
  for (const format of ['jpeg', 'png'] as const) {
    const avatar = await encoder.toAvatar(await createPhoto({ width, height, format }));
    expect(await readPicture(avatar)).toMatchObject({
      format: 'jpeg',
      width: side,
      height: side,
      space: 'srgb',
    });
  }
});

test('an avatar stands as it was taken, and keeps nothing but its pixels', async () => {
  const taken = await addMetadata(await createPhoto({ width: 600, height: 400 }));
  expect(taken.includes('secret-owner')).toBe(true);
  const avatar = await encoder.toAvatar(taken);
  const picture = await readPicture(avatar);
  for (const part of ['exif', 'xmp', 'icc', 'iptc', 'orientation', 'comments'] as const)
    expect([part, picture[part]]).toEqual([part, undefined]);
  expect(avatar.includes('secret')).toBe(false);
  // Turned to the right, the left half is at the top.
  const [top = [], bottom = []] = [await readPixel(avatar, 200, 50), await readPixel(avatar, 200, 350)];
  expect(top[0]).toBeGreaterThan(150);
  expect(bottom[2]).toBeGreaterThan(150);
});

test('what could be seen through is white in an avatar and stays so in a logo', async () => {
  const source = await createTransparent(400, 100);
  expect(await readPixel(await encoder.toAvatar(source), 50, 50)).toEqual([255, 255, 255]);
  const logo = await encoder.toLogo(source);
  expect(await readPicture(logo)).toMatchObject({ format: 'png', width: 256, height: 64, hasAlpha: true });
  expect((await readPixel(logo, 10, 10))[3]).toBe(0);
});

test('a JPEG in the colours of print becomes one of the screen', async () => {
  const print = await sharp(await createPhoto())
    .toColourspace('cmyk')
    .jpeg()
    .toBuffer();
  expect((await readPicture(print)).space).toBe('cmyk');
  expect((await readPicture(await encoder.toAvatar(print))).space).toBe('srgb');
});

test.each(['gif', 'webp', 'tiff', 'avif'] as const)('%s is not taken', async (format) => {
  await expect(encoder.toAvatar(await createOther(format))).rejects.toMatchObject({
    code: 'unsupported_media_type',
  });
});

test.each([
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['SVG after a declaration', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['HTML', '<!DOCTYPE html><script>alert(1)</script>'],
  ['PDF', '%PDF-1.7\n'],
  ['ZIP', 'PK\u0003\u0004'],
  ['a picture after a space', ' \u0089PNG'],
])('%s is not taken', async (_name, text) => {
  await expect(encoder.toAvatar(Buffer.from(text, 'latin1'))).rejects.toMatchObject({
    code: 'unsupported_media_type',
  });
});

const hostile: [string, Buffer][] = [
  ['a PNG of 30,000 x 30,000', createPng({ width: 30_000, height: 30_000, depth: 1, color: 0 })],
  [
    'a PNG that says 2^31 - 1',
    createPng({ width: 2 ** 31 - 1, height: 1, depth: 1, color: 0 }).subarray(0, 60),
  ],
  [
    'an interlaced one of 16 bits',
    createPng({ width: 4096, height: 4096, depth: 16, color: 6, interlaced: true }),
  ],
  ['an animated one', createAnimatedPng()],
  ['one of 16 bits and 16 million pixels', createPng({ width: 4000, height: 4000, depth: 16, color: 6 })],
  ['a JPEG of 1,000 scans', createJpegInScans(1000)],
];

test.each(hostile)('%s is refused in no time and no memory', async (_name, bytes) => {
  expect(bytes.length).toBeLessThan(1024 * 1024);
  const { code, ms, grownMb } = await measure(() => encoder.toAvatar(bytes));
  expect(code).toBe('image_unreadable');
  expect(ms).toBeLessThan(1000);
  expect(grownMb).toBeLessThan(100);
});

const costly: [string, () => Promise<Buffer>][] = [
  ['16 bits a sample', async () => createPng({ width: 3000, height: 3000, depth: 16, color: 6 })],
  ['an interlaced PNG', async () => createPng({ width: 4000, height: 4000, interlaced: true })],
  ['a progressive JPEG', () => createPhoto({ width: 4000, height: 3000, progressive: true })],
  ['as many scans as are taken', async () => createJpegInScans(50)],
  ['a photo on its side', async () => addMetadata(await createPhoto({ width: 4000, height: 3000 }))],
  [
    'a PNG on its side',
    async () => addMetadata(await createPhoto({ width: 4000, height: 3000, format: 'png' })),
  ],
];

test.each(costly)('%s costs less than a second and 100 MB', async (_name, create) => {
  const bytes = await create();
  const { code, ms, grownMb } = await measure(() => encoder.toAvatar(bytes));
  expect(code).toBe('ok');
  expect(ms).toBeLessThan(1000);
  expect(grownMb).toBeLessThan(100);
});

test('scans and frames are counted where they are, not where bytes look like them', async () => {
  const photo = await createPhoto();
  const thumbnail = Buffer.from('ffda0008ffda0008ffda', 'hex');
  expect(countScans(photo)).toBe(1);
  expect(countScans(withSegment(photo, 0xe1, thumbnail))).toBe(1);
  expect(countScans(await createPhoto({ progressive: true }))).toBeGreaterThan(5);
  expect(countScans(createJpegInScans(1000))).toBe(1000);
  const garbage = Buffer.concat([photo.subarray(0, 2), Buffer.from([0, 1, 2, 3]), photo.subarray(2)]);
  expect(countScans(garbage)).toBe(Number.POSITIVE_INFINITY);
  expect(isAnimated(Buffer.concat([createPng({ width: 1, height: 1 }), Buffer.from('acTL')]))).toBe(false);
});

test('where too many wait, the next is told so', async () => {
  const narrow = createPictureEncoder({ concurrency: 1, maxQueue: 1 });
  const photo = await createPhoto();
  const answers = await Promise.allSettled([1, 2, 3].map(() => narrow.toAvatar(photo)));
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(answers[2]).toMatchObject({ reason: { code: 'busy' } });
});
