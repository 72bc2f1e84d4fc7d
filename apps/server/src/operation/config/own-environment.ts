import type { Env } from './environment-reader.ts';

/** The environment of this process. */
export const ownEnvironment = (): Env => process.env;
