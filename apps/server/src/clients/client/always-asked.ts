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

/**
 * Whether a person is asked each time in a browser: where they are always asked, and where a home is linked to a
 * platform. It is linked to whichever account the request's `state` names there, and somebody else may have begun it.
 */
export const isAskedInBrowser = (client: Pick<Client, 'source' | 'metadata'>): boolean =>
  isAlwaysAsked(client) || client.metadata.links_to !== undefined;
