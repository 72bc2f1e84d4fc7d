import type { Client } from './client.service.ts';

/** Whether an app describes itself: nobody of the brand knows who does, and its description may be another one by then. */
export const describesItself = ({ source }: Pick<Client, 'source'>): boolean =>
  source === 'document' || source === 'dynamic';

/**
 * Whether a person is asked each time that the app wants an approval: where the app describes itself, and where its
 * registration says `always_ask`.
 */
export const isAlwaysAsked = (client: Pick<Client, 'source' | 'metadata'>): boolean =>
  describesItself(client) || client.metadata.always_ask === true;
