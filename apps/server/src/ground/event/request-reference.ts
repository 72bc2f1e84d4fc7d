import { AsyncLocalStorage } from 'node:async_hooks';

const references = new AsyncLocalStorage<string>();

/** Runs `work` as part of the request with this reference, which error pages show. */
export const runWithReference = <T>(requestId: string, work: () => T): T => references.run(requestId, work);

/** The reference of the request that is being served; undefined outside of one. */
export const currentReference = (): string | undefined => references.getStore();
