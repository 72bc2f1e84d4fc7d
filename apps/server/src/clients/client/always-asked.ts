import type { Client } from './client.service.ts';

/**
 * Whether a person is asked each time that the app wants an approval: nobody of the brand knows who describes such an
 * app, and its description may be another one by then. A registration may say `always_ask`.
 */
export const isAlwaysAsked = ({ source, metadata }: Pick<Client, 'source' | 'metadata'>): boolean =>
  source === 'document' || source === 'dynamic' || metadata.always_ask === true;
