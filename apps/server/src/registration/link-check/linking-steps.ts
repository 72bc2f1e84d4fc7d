import { linkCheckBounds } from '@candela/contract/rules/link-check';
import { isPublicAddress } from '../../ground/outbound/public-address.ts';
import {
  type Course,
  type Exchange,
  type Finding,
  type Outcome,
  readText,
  shownAnswer,
  type Tokens,
} from './course.ts';
import { findAddresses } from './find-platform.ts';
import { beginLink, type Code } from './linking.ts';
import { exchangeCode, refresh, type Told } from './token-requests.ts';

/** Asks the server for its metadata, where platforms would. Nothing is made before it has answered. */
export const reach = async ({
  issuer,
  visitor,
  masks,
}: Pick<Course, 'issuer' | 'visitor' | 'masks'>): Promise<Outcome<true>> => {
  const answer = await visitor.ask('/.well-known/openid-configuration');
  const isServer = answer.status === 200 && answer.body.issuer === issuer;
  const sent = `GET ${issuer}/.well-known/openid-configuration`;
  const came = isServer ? `200 {"issuer":"${issuer}", ...}` : shownAnswer({ masks }, answer);
  return {
    exchanges: [{ sent, came }],
    findings: isServer ? [] : [{ problem: 'unreachable', value: issuer }],
    held: isServer || undefined,
  };
};

const isLocal = (host: string): boolean =>
  host === 'localhost' || /\.(?:localhost|local|internal|test|invalid)$/.test(host) || !host.includes('.');

/** Platforms take https with a certificate of an approved authority, at an address of the Internet. */
export const judgeIssuer = ({ issuer }: Pick<Course, 'issuer'>): Outcome => {
  const { protocol, hostname } = new URL(issuer);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const isAddress = /^[\d.]+$|:/.test(host);
  const isPublic = isAddress ? isPublicAddress(host) : !isLocal(host);
  const findings: Finding[] = [];
  if (protocol !== 'https:') findings.push({ problem: 'issuer_not_https', value: issuer, isWarning: true });
  else if (!isPublic) findings.push({ problem: 'issuer_not_public', value: issuer, isWarning: true });
  return { exchanges: [], findings };
};

/** A redirect URI that is registered, to link by; undefined where the platform has none. */
export const firstAddress = (course: Course): string | undefined =>
  findAddresses(course.platform, course.metadata, course.conduct.addresses).registered[0];

/** A person links an account: signs in, allows it, and is led back with a code and the state. */
export const link = async (course: Course, uri: string | undefined): Promise<Outcome<Code>> => {
  const address = uri ?? otherAddresses(course, uri)[0];
  if (address === undefined)
    return { exchanges: [], findings: [{ problem: 'redirect_uri_missing', field: 'redirect_uris' }] };
  const { exchange, findings, code } = await beginLink(course, address);
  return { exchanges: [exchange], findings, held: code };
};

/** The redirect URIs of the platform beside one, registered or not. */
export const otherAddresses = (
  { platform, metadata, conduct }: Course,
  uri: string | undefined,
): string[] => {
  const { registered, missing } = findAddresses(platform, metadata, conduct.addresses);
  return [...registered, ...missing].filter((one) => one !== uri);
};

/** The same at each other redirect URI that the platform uses. */
export const linkElsewhere = async (course: Course, uris: readonly string[]): Promise<Outcome> => {
  const exchanges: Exchange[] = [];
  const findings: Finding[] = [];
  for (const uri of uris) {
    const linked = await beginLink(course, uri);
    exchanges.push(linked.exchange);
    findings.push(...linked.findings);
  }
  return { exchanges, findings };
};

/** Why the token endpoint did not answer with tokens. */
const refusalOf = ({ credentials }: Course, { answer }: Told): Finding => {
  const error = readText(answer.body.error);
  if (error === 'invalid_client' || answer.status === 401)
    return {
      problem: 'authentication_refused',
      field: 'token_endpoint_auth_method',
      value: credentials === 'basic' ? 'client_secret_basic' : 'client_secret_post',
    };
  if (answer.status === 200)
    return { problem: 'refresh_token_missing', field: 'grant_types', value: 'refresh_token' };
  return { problem: 'exchange_refused', value: `${answer.status} ${error}`.trim() };
};

/** The platform exchanges its code for tokens. */
export const exchange = async (
  course: Course,
  code: Code,
): Promise<Outcome<{ told: Told; tokens: Tokens }>> => {
  const told = await exchangeCode(course, code);
  const { tokens } = told;
  return {
    exchanges: [told.exchange],
    findings: tokens ? [] : [refusalOf(course, told)],
    held: tokens && { told, tokens },
  };
};

/** Judges the answer with the tokens by what the platform takes. */
export const judgeAnswer = ({ conduct }: Course, { answer: { body, text, ms } }: Told): Outcome => {
  const { most } = conduct;
  const seconds = Number(body.expires_in);
  const longest = Math.max(...[body.access_token, body.refresh_token].map((token) => readText(token).length));
  const findings: Finding[] = [];
  const { accessTokenSeconds, answerMs } = linkCheckBounds;
  if (!Number.isInteger(seconds) || seconds < accessTokenSeconds)
    findings.push({
      problem: 'lifetime_too_short',
      field: 'access_token_ttl',
      value: String(body.expires_in),
    });
  if (most && longest > most.token)
    findings.push({ problem: 'token_too_long', field: 'scope', value: String(longest) });
  if (most && text.length > most.answer)
    findings.push({ problem: 'answer_too_long', field: 'scope', value: String(text.length) });
  if (ms > answerMs) findings.push({ problem: 'answer_too_slow', value: String(Math.round(ms)) });
  const came = `${text.length} characters; the longest token has ${longest}; expires_in is ${body.expires_in}`;
  return { exchanges: [{ sent: '(the answer to the code)', came }], findings };
};

/** The answer to the code was lost, and the platform sends the code again: it is refused, and the link lives on. */
export const sendCodeAgain = async (course: Course, code: Code, tokens: Tokens): Promise<Outcome<Tokens>> => {
  const again = await exchangeCode(course, code);
  if (again.answer.status === 200)
    return { exchanges: [again.exchange], findings: [{ problem: 'code_taken_twice' }], held: again.tokens };
  const { exchange: next, tokens: held } = await refresh(course, tokens);
  return {
    exchanges: [again.exchange, next],
    findings: held ? [] : [{ problem: 'code_ended_link', field: 'fapi', value: 'false' }],
    held,
  };
};
