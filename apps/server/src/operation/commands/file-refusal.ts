import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from '../../ground/start-error.ts';
import { readOsCaller } from './os-caller.ts';

/** What is wrong with a file, and what would be right. */
const sentences: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) =>
    existsSync(dirname(path)) ? `${path} does not exist` : `${path}: there is no directory ${dirname(path)}`,
  EEXIST: (path) => `${path} exists already, and nothing is overwritten: name another file, or move it away`,
  EISDIR: (path) => `${path} is a directory: name a file`,
  ENOTDIR: (path) => `${path}: what stands in the place of one of its directories is a file`,
  ENOSPC: (path) => `${path} cannot be written: the disk is full`,
  EROFS: (path) => `${path} cannot be written: its file system is read-only`,
};

// Beside the embedded database it is the server's user, not the caller.
const notPermitted = (path: string) =>
  `${path}: the user ${readOsCaller().user}, as whom the command runs, has no right to it`;

/**
 * A fault of the file system about a file that the caller named, as a refusal in words; any other error as it is.
 * @param named the absolute path
 */
export const asFileRefusal = (error: unknown, named: string): unknown => {
  const { code = '', syscall, path } = error as NodeJS.ErrnoException;
  // What reads an open file names none. A file is written beside its name until it is whole.
  if (syscall === undefined || (path !== undefined && !path.startsWith(named))) return error;
  const sentence = ['EACCES', 'EPERM'].includes(code) ? notPermitted : sentences[code];
  return sentence ? new StartError(sentence(path ?? named), { cause: error }) : error;
};
