import { hash } from 'node:crypto';

const decode = (part: string | undefined): Record<string, unknown> =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString());

/** A JWT of any kind as it stands there, unchecked. */
export const readJwt = (jwt: string) => {
  const [header, payload] = jwt.split('.');
  return { header: decode(header), payload: decode(payload) };
};

/** A part of a JWT. */
export const encodePart = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** What the database keeps of a token, a code or an id; also the `ath` of a DPoP proof (RFC 9449 section 4.2). */
export const hashOf = (token: string): string => hash('sha256', token, 'base64url');

/** The header by which an app shows its secret (RFC 6749 section 2.3.1). */
export const basic = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) => ({
  authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`,
});
