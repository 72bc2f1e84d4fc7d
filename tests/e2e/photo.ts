import type { Page } from 'playwright-core';

interface PhotoOptions {
  width: number;
  height: number;
  /** Colours of its left and right half. */
  halves: readonly [string, string];
  /** Adds the noise of a camera at night, which makes the JPEG large. */
  grain?: boolean;
}

/** A JPEG drawn by the browser of the page. */
export const drawPhoto = async (page: Page, options: PhotoOptions): Promise<Buffer> => {
  const base64 = await page.evaluate(async ({ width, height, halves, grain }) => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width, height });
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    halves.forEach((colour, index) => {
      context.fillStyle = colour;
      context.fillRect((index * width) / 2, 0, width / 2, height);
    });
    if (grain) {
      const image = context.getImageData(0, 0, width, height);
      for (let at = 0; at < image.data.length; at += 1) {
        if (at % 4 !== 3) image.data[at] = (image.data[at] ?? 0) + (Math.random() - 0.5) * 160;
      }
      context.putImageData(image, 0, 0);
    }
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.97));
    const bytes = new Uint8Array(await (blob as Blob).arrayBuffer());
    let text = '';
    for (let at = 0; at < bytes.length; at += 0x8000)
      text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return btoa(text);
  }, options);
  return Buffer.from(base64, 'base64');
};

/** The JPEG of a camera held on its side: Exif orientation 6, a quarter turn to the right. */
export const turnPhoto = (jpeg: Buffer): Buffer => {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex');
  const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(exif.length + 2);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe1]), length, exif, jpeg.subarray(2)]);
};

export interface Colour {
  red: number;
  green: number;
  blue: number;
}

/** The size of a picture of the site, and its colours at points given as fractions of its width and height. */
export const lookAtPicture = (
  page: Page,
  src: string,
  points: readonly (readonly [x: number, y: number])[],
): Promise<{ width: number; height: number; colours: Colour[] }> =>
  page.evaluate(
    async ({ src, points }) => {
      const image = new Image();
      image.src = src;
      await image.decode();
      const { naturalWidth: width, naturalHeight: height } = image;
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width, height });
      const context = canvas.getContext('2d');
      if (!context) throw new Error('no canvas');
      context.drawImage(image, 0, 0);
      const colours = points.map(([x, y]) => {
        const [red = 0, green = 0, blue = 0] = context.getImageData(x * width, y * height, 1, 1).data;
        return { red, green, blue };
      });
      return { width, height, colours };
    },
    { src, points },
  );
