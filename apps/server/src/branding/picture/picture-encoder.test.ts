import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { createHostilePictures } from '../../../testing/hostile-pictures.ts';
import {
  addMetadata,
  createCorners,
  createOther,
  createPhoto,
  createTransparent,
  readCorners,
  readPicture,
  readPixel,
} from '../../../testing/pictures.ts';
import { createLogger } from '../../ground/logger.ts';
import { createPictureEncoder } from './picture-encoder.ts';

const logger = createLogger('silent');
const encoder = createPictureEncoder({ maxQueue: 100, logger });
afterAll(() => encoder.close());

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

test('an avatar is upright, and keeps nothing but its pixels', async () => {
  const taken = await addMetadata(await createPhoto({ width: 600, height: 400 }));
  expect(taken.includes('secret-owner')).toBe(true);
  const avatar = await encoder.toAvatar(taken);
  const picture = await readPicture(avatar);
  for (const part of ['exif', 'xmp', 'icc', 'iptc', 'orientation', 'comments'] as const)
    expect([part, picture[part]]).toEqual([part, undefined]);
  expect(avatar.includes('secret')).toBe(false);
  // Rotated clockwise, the left half is at the top.
  const [top = [], bottom = []] = [await readPixel(avatar, 200, 50), await readPixel(avatar, 200, 350)];
  expect(top[0]).toBeGreaterThan(150);
  expect(bottom[2]).toBeGreaterThan(150);
});

test('transparent pixels become white in an avatar and stay transparent in a logo', async () => {
  const source = await createTransparent(400, 100);
  expect(await readPixel(await encoder.toAvatar(source), 50, 50)).toEqual([255, 255, 255]);
  const logo = await encoder.toLogo(source);
  expect(await readPicture(logo)).toMatchObject({ format: 'png', width: 256, height: 64, hasAlpha: true });
  expect((await readPixel(logo, 10, 10))[3]).toBe(0);
});

test('a CMYK JPEG becomes RGB', async () => {
  const print = await sharp(await createPhoto())
    .toColourspace('cmyk')
    .jpeg()
    .toBuffer();
  expect((await readPicture(print)).space).toBe('cmyk');
  expect((await readPicture(await encoder.toAvatar(print))).space).toBe('srgb');
});

test.each(['gif', 'webp', 'tiff', 'avif'] as const)('%s is refused', async (format) => {
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

test.each([
  [1, 'rgbw'],
  [2, 'grwb'],
  [3, 'wbgr'],
  [4, 'bwrg'],
  [5, 'rbgw'],
  [6, 'brwg'],
  [7, 'wgbr'],
  [8, 'gwrb'],
])('a picture of orientation %i stands upright', async (orientation, corners) => {
  for (const format of ['jpeg', 'png'] as const) {
    const taken = await addMetadata(await createCorners(format), orientation);
    expect((await readPicture(taken)).orientation).toBe(orientation);
    expect([format, await readCorners(await encoder.toAvatar(taken))]).toEqual([format, corners]);
    expect([format, await readCorners(await encoder.toLogo(taken))]).toEqual([format, corners]);
  }
});

test('hostile pictures are refused, or accepted without their costly parts', async () => {
  for (const { name, bytes, outcome } of await createHostilePictures()) {
    expect([name, bytes.length]).toEqual([name, Math.min(bytes.length, 1024 * 1024)]);
    const code = await encoder.toAvatar(bytes).then(
      () => 'taken',
      (error) => error.code,
    );
    expect([name, code]).toEqual([name, outcome === 'taken' ? 'taken' : 'image_unreadable']);
  }
});

test('when too many pictures wait, the next picture is refused', async () => {
  const narrow = createPictureEncoder({ maxQueue: 1, logger });
  const photo = await createPhoto();
  const answers = await Promise.allSettled([1, 2, 3].map(() => narrow.toAvatar(photo)));
  await narrow.close();
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(answers[2]).toMatchObject({ reason: { code: 'busy' } });
});

test('an account that sends many pictures at once does not keep others waiting', async () => {
  const photo = await createPhoto();
  const flood = Array.from({ length: 40 }, () => encoder.toAvatar(photo, 'flood'));
  const answers = Promise.allSettled(flood);
  expect(await readPicture(await encoder.toAvatar(photo, 'somebody'))).toMatchObject({ format: 'jpeg' });
  const fulfilled = (await answers).filter(({ status }) => status === 'fulfilled');
  // One picture under way and sixteen waiting.
  expect(fulfilled).toHaveLength(17);
});

test('the server process loads no decoder', async () => {
  const script = `
    import { createPictureEncoder } from ${JSON.stringify(new URL('./picture-encoder.ts', import.meta.url).href)};
    createPictureEncoder({ maxQueue: 1, logger: console });
    console.log(process.report.getReport().sharedObjects.filter((file) => file.includes('vips')).length);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect(stdout).toBe('0\n');
});
