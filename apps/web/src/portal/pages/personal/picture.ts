import { PICTURE_LIMIT_BYTES } from '@candela/contract/rules/picture';
import { ApiError } from '../../../shell/api/client.ts';
import { fitWithin, pictureType } from './picture-type.ts';

/** A chosen picture, upright and reduced for the screen. */
export interface Picture {
  bitmap: ImageBitmap;
  /** A `data:` URL, which the Content Security Policy allows. */
  shown: string;
  /** Pixels of the bitmap for each pixel of the shown picture. */
  scale: number;
}

/** A square, in pixels of the shown picture. */
export interface Crop {
  x: number;
  y: number;
  width: number;
}

const mostFileBytes = 50 * 1024 * 1024;
const shownPixels = 1024;
const savedPixels = 512;
const qualities = [0.9, 0.75, 0.5];

const refusal = (code: 'unsupported_media_type' | 'image_unreadable' | 'too_large', cause?: unknown) =>
  new ApiError(code, { status: 0 }, { cause });

const drawSquare = (source: ImageBitmap, width: number, height: number) => {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw refusal('image_unreadable');
  // JPEG has no transparency: without this fill, transparent parts become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  return {
    canvas,
    draw: (x: number, y: number, w: number, h: number) =>
      context.drawImage(source, x, y, w, h, 0, 0, width, height),
  };
};

/**
 * Opens a file as a picture, upright by its Exif orientation.
 * @throws {ApiError} unsupported_media_type, too_large or image_unreadable
 */
export const openPicture = async (file: Blob): Promise<Picture> => {
  if (file.size > mostFileBytes) throw refusal('too_large');
  if (!pictureType(new Uint8Array(await file.slice(0, 8).arrayBuffer()))) {
    throw refusal('unsupported_media_type');
  }
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch((cause: unknown) => {
    throw refusal('image_unreadable', cause);
  });
  const { width, height } = fitWithin(bitmap, shownPixels);
  const { canvas, draw } = drawSquare(bitmap, width, height);
  draw(0, 0, bitmap.width, bitmap.height);
  return { bitmap, shown: canvas.toDataURL('image/jpeg', 0.9), scale: bitmap.width / width };
};

const toJpeg = (canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));

/**
 * Cuts a square out of the picture, as a JPEG of at most 512 pixels in a size that the server accepts.
 * @throws {ApiError} image_unreadable
 */
export const cutPicture = async ({ bitmap, scale }: Picture, crop: Crop): Promise<Blob> => {
  const side = crop.width * scale;
  const { width } = fitWithin({ width: side, height: side }, savedPixels);
  const { canvas, draw } = drawSquare(bitmap, width, width);
  draw(crop.x * scale, crop.y * scale, side, side);
  for (const quality of qualities) {
    const blob = await toJpeg(canvas, quality);
    if (blob && blob.size <= PICTURE_LIMIT_BYTES) return blob;
  }
  throw refusal('image_unreadable');
};

/**
 * Encodes a saved picture of the account again, for an upload.
 * @throws {ApiError} image_unreadable
 */
export const copyPicture = async (saved: Blob): Promise<Blob> => {
  const bitmap = await createImageBitmap(saved).catch((cause: unknown) => {
    throw refusal('image_unreadable', cause);
  });
  return cutPicture(
    { bitmap, shown: '', scale: 1 },
    { x: 0, y: 0, width: Math.min(bitmap.width, bitmap.height) },
  );
};
