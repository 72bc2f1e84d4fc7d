import * as z from 'zod/mini';
import { faultAt, type RegistrationFault } from '../../clients/client/fault.ts';
import { type OutboundRequest, readOutboundBody } from '../../ground/outbound/outbound-request.ts';
import type { SelfDescribed } from './self-described.ts';

const MAX_BYTES = 64 * 1024;
const TIMEOUT_MS = 5_000;

const Uris = z.array(z.string());

/** Says whether a client is of the sector that it names. */
export type FindSectorFault = (metadata: SelfDescribed) => Promise<RegistrationFault | undefined>;

const refuse = (text: string) => faultAt('sector_identifier_uri', 'value_invalid', text);

/**
 * Fetches the document of a sector. Clients of one sector know a person by the same subject, so that whoever names a
 * sector must be named by it (OpenID Connect Dynamic Client Registration section 5).
 */
export const createSectorFaultFinder = (request: OutboundRequest): FindSectorFault => {
  const fetchUris = async (uri: string): Promise<string[] | undefined> => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await request(uri, { headers: { accept: 'application/json' }, signal });
    const body = await readOutboundBody(answer, MAX_BYTES);
    return answer.statusCode === 200 ? z.safeParse(Uris, JSON.parse(body.toString())).data : undefined;
  };

  return async ({ sector_identifier_uri: uri, redirect_uris: redirectUris, jwks_uri: jwksUri }) => {
    if (uri === undefined || uri === null) return undefined;
    // Whatever went wrong says something of a host that may not be the client's.
    const named = await fetchUris(uri).catch(() => undefined);
    if (!named) return refuse('must lead to a JSON list of redirect URIs, by https at a public address');
    // Without redirect URIs its keys are what the document names.
    const own = redirectUris?.length ? redirectUris : [jwksUri ?? 'the jwks_uri of the client'];
    const missing = own.find((address) => !named.includes(address));
    return missing === undefined ? undefined : refuse(`leads to a document without ${missing}`);
  };
};
