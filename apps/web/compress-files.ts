import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';

const compress = promisify(gzip);

const COMPRESSIBLE = new Set(['.js', '.css', '.svg', '.json', '.webmanifest']);

/** Writes `<name>.gz` beside each file of a build that compresses well, so that no start of a server compresses it. */
export const compressFiles = async (directory: string): Promise<void> => {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  await Promise.all(
    files
      .filter((file) => file.isFile() && !file.name.startsWith('.') && COMPRESSIBLE.has(extname(file.name)))
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        await writeFile(
          `${path}.gz`,
          await compress(await readFile(path), { level: constants.Z_BEST_COMPRESSION }),
        );
      }),
  );
};
