import { createServer } from 'node:http';

const { ISSUER, API, CLIENT_ID, CLIENT_SECRET, PORT = 8080 } = process.env;

/** In the header, or where Alexa, SmartThings, Tmall Genie and Xiaodu put it. */
const tokenOf = ({ authorization = '' }, { directive, authentication, payload }) =>
  /^Bearer (\S+)$/i.exec(authorization)?.[1] ??
  directive?.endpoint?.scope?.token ??
  directive?.payload?.scope?.token ??
  authentication?.token ??
  payload?.accessToken;

const introspect = async (token) => {
  const authorization = `Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}`;
  const body = new URLSearchParams({ token, token_type_hint: 'access_token' });
  const signal = AbortSignal.timeout(3_000);
  const answer = await fetch(`${ISSUER}/oauth/introspect`, {
    method: 'POST',
    headers: { authorization },
    body,
    signal,
  });
  if (!answer.ok) throw new Error(`introspection answered ${answer.status}`);
  return answer.json();
};

createServer(async (request, response) => {
  const end = (status, told) => response.writeHead(status).end(JSON.stringify(told));
  try {
    const directive = JSON.parse(Buffer.concat(await request.toArray()).toString() || '{}') ?? {};
    const token = tokenOf(request.headers, directive);
    if (!token) return end(401, {});
    const { active, aud, scope = '', sub, client_id } = await introspect(String(token));
    if (!active || aud !== API) return end(401, {});
    if (!scope.split(' ').includes('lights:switch')) return end(403, {});
    end(200, { account: sub, platform: client_id }); // Find the lamps of the account, and switch them.
  } catch (error) {
    console.error(error); // An outage says nothing about the token: the platform is to ask again.
    end(error instanceof SyntaxError ? 400 : 503, {});
  }
}).listen(PORT);
