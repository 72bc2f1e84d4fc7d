import { readFileSync } from 'node:fs';

/** The release of this server and its commands: `0.1.0`. */
export const { version: release }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
