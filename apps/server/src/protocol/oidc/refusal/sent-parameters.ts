import type { Context } from 'koa';
import { readWords } from '../../../branding/scope/space-separated.ts';
import { withoutValues } from '../client/redirect-uri.ts';
import { authenticatedPaths } from '../endpoints.ts';
import { readJwtPart } from '../jwt/unverified-jwt.ts';
import { clientInQuery } from '../token/parameters-in-query.ts';
import { toMasked, toPlain, URI_LENGTH } from './masked-text.ts';

/** Parameters that hold no secret and nothing of a person. All others are masked, those of later releases too. */
const plainParameters: ReadonlySet<string> = new Set([
  'acr_values',
  'claims_locales',
  'client_assertion_type',
  'code_challenge',
  'code_challenge_method',
  'display',
  'dpop_jkt',
  'grant_type',
  'intent',
  'max_age',
  'post_logout_redirect_uri',
  'prompt',
  'redirect_uri',
  'resource',
  'response_mode',
  'response_type',
  'scope',
  'token_type_hint',
  'ui_locales',
  'user_locale',
]);

/** Parameters that are JWTs which the client made: some of their claims are shown beside them. */
const jwtParameters = ['client_assertion', 'request'] as const;

const timeOf = (seconds: number): string => {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString();
};

/** What a developer gets wrong in a JWT, by the name of the JWT and of the claim. */
const claimsIn = (name: string, jwt: string): [string, string][] => {
  const header = readJwtPart(jwt, 0) ?? {};
  const claims = readJwtPart(jwt, 1) ?? {};
  const texts = { alg: header.alg, kid: header.kid, aud: claims.aud, htm: claims.htm, htu: claims.htu };
  return [
    ...Object.entries(texts).flatMap(([claim, value]): [string, string][] =>
      [value].flat().every((item) => typeof item === 'string')
        ? [[`${name}.${claim}`, toPlain([value].flat().join(' '))]]
        : [],
    ),
    ...(['iat', 'nbf', 'exp'] as const).flatMap((claim): [string, string][] => {
      const seconds = claims[claim];
      return typeof seconds === 'number' ? [[`${name}.${claim}`, timeOf(seconds)]] : [];
    }),
  ];
};

/** Id and secret of HTTP Basic as they were sent; undefined where the header has another form. */
const readBasic = (header: string): { id: string; secret: string } | undefined => {
  const [, encoded] = /^basic (\S+)$/i.exec(header) ?? [];
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  try {
    return { id: decodeURIComponent(text.slice(0, colon)), secret: text.slice(colon + 1) };
  } catch {
    return undefined;
  }
};

const showHeader = (header: string, clientId: string): string => {
  const basic = readBasic(header);
  if (basic)
    return `Basic ${basic.id === clientId ? clientId : toMasked(basic.id)}:${toMasked(basic.secret)}`;
  const [scheme = '', ...rest] = header.split(' ');
  return rest.length > 0 ? `${toPlain(scheme).slice(0, 20)} ${toMasked(rest.join(' '))}` : toMasked(header);
};

/** How a request authenticated its client, by the names of `token_endpoint_auth_method`. */
const methodOf = (ctx: Context): string => {
  const { client_secret: secret, client_assertion: assertion } = ctx.oidc?.params ?? {};
  const sent = [
    ctx.get('authorization') && 'client_secret_basic',
    secret && 'client_secret_post',
    assertion && 'private_key_jwt',
  ].filter((method) => typeof method === 'string' && method !== '');
  return sent.join(' ') || 'none';
};

/** The client that a request names, though it did not get as far as to be known by it. */
export const claimedClientId = (ctx: Context): string | undefined => {
  const { client_id: id } = ctx.oidc?.params ?? {};
  if (typeof id === 'string') return id;
  return readBasic(ctx.get('authorization'))?.id ?? (ctx.oidc ? undefined : clientInQuery(ctx));
};

/** The client that sent it, with its registration. */
interface SentBy {
  id: string;
  metadata: Readonly<Record<string, unknown>>;
}

/**
 * What a client sent, by parameter, and by header where credentials came in one. Secrets, codes, tokens and what may
 * be of a person are masked.
 */
export const sentIn = (ctx: Context, { id: clientId, metadata }: SentBy): Record<string, string> => {
  const personal = readWords(metadata.redirect_uri_parameters);
  const parameters = Object.entries(ctx.oidc?.params ?? {}).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return [];
    const text = withoutValues([value].flat().map(String).join(' '), name === 'redirect_uri' ? personal : []);
    const isPlain = plainParameters.has(name) || (name === 'client_id' && text === clientId);
    if (!isPlain) return [[name, toMasked(text)]];
    return [[name, name.endsWith('_uri') ? toPlain(text, URI_LENGTH) : toPlain(text)]];
  });
  const jwts = jwtParameters.flatMap((name): [string, string][] => {
    const jwt = ctx.oidc?.params?.[name];
    return typeof jwt === 'string' ? claimsIn(name, jwt) : [];
  });
  const [authorization, proof] = [ctx.get('authorization'), ctx.get('DPoP')];
  return Object.fromEntries([
    ...parameters,
    ...jwts,
    ...(authorization ? [['authorization', showHeader(authorization, clientId)]] : []),
    ...(proof ? [['dpop', toMasked(proof)], ...claimsIn('dpop', proof)] : []),
    ...(authenticatedPaths.includes(ctx.path) ? [['token_endpoint_auth_method', methodOf(ctx)]] : []),
  ]);
};
