import { readFileSync } from 'node:fs';

/** How `pnpm start` starts the server. */
export interface StartScript {
  /** Options of Node. */
  flags: string[];
  env: Record<string, string>;
}

const VARIABLE = /(\w+)=\$\{\1:-([^}]+)\}/g;

/** Reads the options and the variables off the script, each variable as it is set here or by its default. */
export const readStartScript = (): StartScript => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const server = String(scripts.start).split(' && ').at(-1) ?? '';
  return {
    flags: server.split(' ').filter((word) => word.startsWith('--')),
    env: Object.fromEntries(
      [...server.matchAll(VARIABLE)].map(([, name = '', usual = '']) => [name, process.env[name] || usual]),
    ),
  };
};
