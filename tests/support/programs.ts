import { fileURLToPath } from 'node:url';

const built = (name: string) => fileURLToPath(new URL(`../../apps/server/dist/${name}`, import.meta.url));

/** The server, as it is built. */
export const serverProgram = built('main.js');

/** The command `candela`, as it is built. */
export const commandProgram = built('cli.js');

/** How Node runs a server on the embedded database, which lives for seconds: vitest.config.ts says why. */
export const embeddedArgs = ['--liftoff-only'];
