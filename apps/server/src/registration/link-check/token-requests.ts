import { type Course, type Exchange, readText, shownAnswer, type Tokens } from './course.ts';
import type { Code } from './linking.ts';
import type { Answer } from './visitor.ts';

/** A request to the token endpoint or the revocation endpoint, and its answer. */
export interface Told {
  exchange: Exchange;
  answer: Answer;
  /** undefined where the answer has not both. */
  tokens: Tokens | undefined;
}

/** RFC 6749 section 2.3.1: id and secret are form-encoded first. */
const basicOf = ({ id, secret }: { id: string; secret: string }): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

const hideTokens = ({ masks }: Course, { body }: Answer): void => {
  masks.hide(body.access_token, 'access token');
  masks.hide(body.id_token, 'id token');
  // A repeated answer has the same one: the number says so.
  masks.hideNext(body.refresh_token, 'refresh token');
};

/** Sends what a platform sends, its credentials where it puts them. */
const tell = async (
  course: Course,
  path: string,
  form: Record<string, string>,
  signal?: AbortSignal,
): Promise<Told> => {
  const { conduct, credentials, standIn, masks, visitor } = course;
  const inBody = { client_id: standIn.id, client_secret: standIn.secret };
  const all = credentials === 'body' ? { ...form, ...inBody } : form;
  const headers = credentials === 'basic' ? { authorization: basicOf(standIn) } : {};
  const isInAddress = conduct.speaksInAddresses && path === '/oauth/token';
  const target = isInAddress ? `${path}?${new URLSearchParams(all)}` : path;
  const answer = await visitor.ask(target, {
    form: isInAddress ? {} : all,
    headers,
    ...(signal && { signal }),
  });
  hideTokens(course, answer);
  const [accessToken, refreshToken] = [answer.body.access_token, answer.body.refresh_token].map(readText);
  const said = credentials === 'basic' ? ['Authorization: Basic (id and secret)'] : [];
  const text = new URLSearchParams(all).toString();
  const sent = isInAddress ? [`POST ${path}?${text}`] : [`POST ${path}`, ...said, text];
  return {
    exchange: { sent: masks.mask(sent.join(' ')), came: shownAnswer(course, answer) },
    answer,
    tokens: answer.status === 200 && accessToken && refreshToken ? { accessToken, refreshToken } : undefined,
  };
};

/** RFC 6749 section 4.1.3. */
export const exchangeCode = (course: Course, { code, redirectUri, verifier }: Code): Promise<Told> =>
  tell(course, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    ...(verifier !== undefined && { code_verifier: verifier }),
  });

/** RFC 6749 section 6. The tokens are those with which the platform goes on: it may stay with its refresh token. */
export const refresh = async (
  course: Course,
  { refreshToken }: Tokens,
  signal?: AbortSignal,
): Promise<Told> => {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
  const { exchange, answer } = await tell(course, '/oauth/token', form, signal);
  const accessToken = readText(answer.body.access_token);
  const replaced = course.conduct.keepsFirstToken ? '' : readText(answer.body.refresh_token);
  const isGranted = answer.status === 200 && accessToken !== '';
  return {
    exchange,
    answer,
    tokens: isGranted ? { accessToken, refreshToken: replaced || refreshToken } : undefined,
  };
};

/** RFC 7009 section 2.1. */
export const revoke = (course: Course, token: string, hint: string): Promise<Told> =>
  tell(course, '/oauth/revoke', { token, token_type_hint: hint });
