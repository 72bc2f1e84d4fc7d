import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const RECORD = '.releases';

/** Pages that are open keep asking for the chunks of the release they came from. */
const EARLIER_RELEASES = 2;

const listChunks = async (directory: string): Promise<string[]> =>
  (await readdir(directory).catch(() => []))
    .filter((name) => name !== 'index.html' && !name.startsWith('.'))
    .sort();

/** Another build may have replaced the directory meanwhile. */
const ignoreMissing = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'ENOENT') throw error;
};

/** The files of each release in a directory, the newest first. */
const readReleases = async (directory: string): Promise<string[][]> => {
  const record = await readFile(join(directory, RECORD), 'utf8').catch(() => undefined);
  if (record !== undefined) return JSON.parse(record) as string[][];
  const chunks = await listChunks(directory);
  return chunks.length > 0 ? [chunks] : [];
};

/** Adds to the fresh build what releases before it consist of; the oldest ones are left behind. */
export const keepReleases = async (before: string, fresh: string): Promise<void> => {
  const built = await listChunks(fresh);
  const isBuilt = (chunks: readonly string[]) => chunks.join() === built.join();
  const kept = (await readReleases(before)).filter((chunks) => !isBuilt(chunks)).slice(0, EARLIER_RELEASES);
  for (const chunk of new Set(kept.flat())) {
    // A name has the hash of the content in it: the same name is the same file.
    if (!built.includes(chunk)) await copyFile(join(before, chunk), join(fresh, chunk)).catch(ignoreMissing);
  }
  await writeFile(join(fresh, RECORD), JSON.stringify([built, ...kept]));
};
