import { hash } from 'node:crypto';

const decode = (part: string | undefined): Record<string, unknown> =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString());

/** The content of a JWT of any kind, unverified. */
export const readJwt = (jwt: string) => {
  const [header, payload] = jwt.split('.');
  return { header: decode(header), payload: decode(payload) };
};

/** A decoded part of a JWT. */
export const encodePart = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** The digest that the database stores of a token, a code or an id; also the `ath` of a DPoP proof (RFC 9449 section 4.2). */
export const hashOf = (token: string): string => hash('sha256', token, 'base64url');

/** The header with an app’s id and secret (RFC 6749 section 2.3.1). */
export const basic = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) => ({
  authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`,
});
