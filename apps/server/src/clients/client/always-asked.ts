import type { Client } from './client.service.ts';

/**
 * Whether a person is asked each time that the app wants an approval: nobody of the brand knows who describes such an
 * app, and its description may be another one by then.
 */
export const isAlwaysAsked = ({ source }: Pick<Client, 'source'>): boolean =>
  source === 'document' || source === 'dynamic';
