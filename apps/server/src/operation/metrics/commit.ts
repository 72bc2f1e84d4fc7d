import { readFileSync } from 'node:fs';

const root = new URL('../../../../../', import.meta.url);

const read = (path: string): string | undefined => {
  try {
    return readFileSync(new URL(path, root), 'utf8').trim();
  } catch {
    return undefined;
  }
};

const COMMIT = /^[0-9a-f]{7,64}$/;

/** The commit of the source: what a file `COMMIT` says, which an image has, or else what the clone has checked out. */
export const readCommit = (): string | undefined => {
  const head = read('COMMIT') ?? read('.git/HEAD');
  const reference = head?.startsWith('ref: ') ? head.slice('ref: '.length) : undefined;
  const commit = reference ? read(`.git/${reference}`) : head;
  return commit && COMMIT.test(commit) ? commit : undefined;
};
