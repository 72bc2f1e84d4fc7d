import type { RegisteredClient } from '@candela/contract';

/** How a request proves who sends it. `basic` and `post` take the client secret (RFC 6749 section 2.3.1). */
export type Proof = 'none' | 'basic' | 'post' | 'bearer';

/** A request of a trial. Its parameters are the query of a GET, or the form of a POST. */
export interface TrialRequest {
  method: 'GET' | 'POST';
  /** The path of the endpoint at the issuer. */
  path: string;
  params: Readonly<Record<string, string>>;
  proof: Proof;
  /** The access token of the proof `bearer`. */
  accessToken?: string;
}

/** What a request proves itself with. */
export interface TrialSecrets {
  clientId: string;
  secret: string;
}

/** Values that a page never shows whole, and a text never repeats. */
export const SECRET_VARIABLE = '$CLIENT_SECRET';

/** The proof of a client by its registration; undefined where a browser cannot give it. */
export const proofOf = (
  client: Pick<RegisteredClient, 'token_endpoint_auth_method'>,
): Exclude<Proof, 'bearer'> | undefined => {
  switch (client.token_endpoint_auth_method) {
    case 'none':
      return 'none';
    case 'client_secret_basic':
      return 'basic';
    case 'client_secret_post':
      return 'post';
    default:
      return undefined;
  }
};

/** A value form-encoded, as HTTP Basic of OAuth asks (RFC 6749 section 2.3.1). */
const formEncode = (value: string): string => new URLSearchParams([['', value]]).toString().slice(1);

export const basicCredentials = ({ clientId, secret }: TrialSecrets): string =>
  `${formEncode(clientId)}:${formEncode(secret)}`;

/** The parameters as they are sent: with those by which the client proves itself. */
export const paramsOf = (
  { params, proof }: TrialRequest,
  { clientId, secret }: TrialSecrets,
): Record<string, string> => {
  if (proof === 'none') return { ...params, client_id: clientId };
  if (proof === 'post') return { ...params, client_id: clientId, client_secret: secret };
  return { ...params };
};

/** The address of a request: of a GET with its parameters. */
export const addressOf = (request: TrialRequest, issuer: string, secrets: TrialSecrets): string => {
  const url = new URL(request.path, issuer);
  if (request.method === 'GET')
    for (const [name, value] of Object.entries(paramsOf(request, secrets)))
      if (request.proof !== 'bearer' || name !== 'client_id') url.searchParams.set(name, value);
  return url.href;
};

/** The headers of a request by name. */
export const headersOf = (request: TrialRequest, secrets: TrialSecrets): Record<string, string> => ({
  ...(request.method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
  ...(request.proof === 'basic' && { authorization: `Basic ${btoa(basicCredentials(secrets))}` }),
  ...(request.proof === 'bearer' && { authorization: `Bearer ${request.accessToken ?? ''}` }),
});
