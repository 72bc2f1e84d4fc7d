import { isIP } from 'node:net';
import { CLIENT_ID } from '../../clients/client/client-entry.ts';

/** Whose client id metadata documents are taken: anybody's, or those at these hosts, as `parseHost` writes them. */
export type DocumentHosts = 'any' | readonly string[];

/**
 * The URL of a client id metadata document, by the client id; undefined for any other client id. The URL has a path
 * and neither credentials nor a fragment, and is spelled in the one way that a browser spells it: without dot segments
 * (draft-ietf-oauth-client-id-metadata-document section 3). It is at the port of https, unless the operator named the
 * host with its port.
 */
export const documentUrlOf = (id: string, hosts: DocumentHosts): URL | undefined => {
  if (!id.startsWith('https://') || !CLIENT_ID.test(id) || id.includes('#')) return undefined;
  const url = URL.parse(id);
  if (url?.href !== id || url.pathname === '/') return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  if (hosts !== 'any') return hosts.includes(url.host) ? url : undefined;
  const isAddress = isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
  return url.port === '' && !isAddress ? url : undefined;
};
