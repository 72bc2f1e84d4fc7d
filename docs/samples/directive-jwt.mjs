import { createPublicKey, verify } from 'node:crypto';
import { createServer } from 'node:http';

const { ISSUER, API, PORT = 8080 } = process.env;

/** In the header, or where Alexa, SmartThings, Tmall Genie and Xiaodu put it. */
const tokenOf = ({ authorization = '' }, { directive, authentication, payload }) =>
  /^Bearer (\S+)$/i.exec(authorization)?.[1] ??
  directive?.endpoint?.scope?.token ??
  directive?.payload?.scope?.token ??
  authentication?.token ??
  payload?.accessToken;

let keys = new Map();
let asked = 0;
/** A key that is new is asked for, but not more often than every ten seconds: tokens may name any. */
const keyOf = async (kid) => {
  if (!keys.has(kid) && Date.now() - asked > 10_000) {
    const answer = await fetch(`${ISSUER}/oauth/jwks`, { signal: AbortSignal.timeout(3_000) });
    if (!answer.ok) throw new Error(`the keys: ${answer.status}`);
    keys = new Map((await answer.json()).keys.map((key) => [key.kid, key]));
    asked = Date.now();
  }
  const key = keys.get(kid);
  return key && createPublicKey({ key, format: 'jwk' });
};

const read = (part) => {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return {};
  }
};

/** The claims of a token that is good for this API (RFC 9068 section 4); undefined for any other. */
const claimsOf = async (token) => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const { typ, alg, kid } = read(header);
  if (typ !== 'at+jwt' || alg !== 'ES256') return undefined;
  const key = await keyOf(kid);
  const signed = Buffer.from(`${header}.${payload}`);
  const given = Buffer.from(signature, 'base64url');
  if (!key || !verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, given)) return undefined;
  const { iss, aud, exp, ...claims } = read(payload);
  return iss === ISSUER && aud === API && exp > Date.now() / 1000 ? claims : undefined;
};

createServer(async (request, response) => {
  const end = (status, told) => response.writeHead(status).end(JSON.stringify(told));
  try {
    const directive = JSON.parse(Buffer.concat(await request.toArray()).toString() || '{}') ?? {};
    const token = tokenOf(request.headers, directive);
    const claims = token && (await claimsOf(String(token)));
    if (!claims) return end(401, {});
    if (!claims.scope?.split(' ').includes('lights:switch')) return end(403, {});
    end(200, { account: claims.sub, platform: claims.client_id }); // Find the lamps of the account, and switch them.
  } catch (error) {
    console.error(error); // An outage says nothing about the token: the platform is to ask again.
    end(error instanceof SyntaxError ? 400 : 503, {});
  }
}).listen(PORT);
