import { randomBytes } from 'node:crypto';
import { PASSWORD } from '../support/world.ts';
import { type BenchAnswer, expectStatus, headerOf, type Send } from './http-connection.ts';
import {
  CLIENT_ID,
  CODE_CHALLENGE,
  CODE_VERIFIER,
  clientAuthorization,
  ORIGIN,
  REDIRECT_URI,
  SCOPE,
} from './setting.ts';

/** Cookies by name: a browser of the bench is in one interaction at a time, so paths do not matter. */
export type Cookies = Map<string, string>;

export const readCookies = (header: string): Cookies =>
  new Map(
    header
      .split('; ')
      .filter(Boolean)
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );

export interface BenchBrowser {
  cookies: Cookies;
  get(target: string): Promise<BenchAnswer>;
  post(target: string, json: unknown): Promise<BenchAnswer>;
  delete(target: string): Promise<BenchAnswer>;
}

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const storeCookies = (cookies: Cookies, { head }: BenchAnswer) => {
  for (const [, name = '', value = ''] of head.matchAll(/^set-cookie: *([^=]+)=([^;\r]*)/gim)) {
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
};

/** A minimal browser that can be signed in and approve. */
export const createBenchBrowser = (send: Send, cookies: Cookies = new Map()): BenchBrowser => {
  const request = async (method: 'GET' | 'POST' | 'DELETE', target: string, json?: unknown) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await send({
      method,
      path: target.replace(ORIGIN, ''),
      headers: {
        'user-agent': CHROME,
        'accept-language': 'en',
        accept: 'application/json',
        ...(cookie && { cookie }),
        ...(method !== 'GET' && { origin: ORIGIN }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    storeCookies(cookies, answer);
    return answer;
  };
  return {
    cookies,
    get: (target) => request('GET', target),
    post: (target, json) => request('POST', target, json),
    delete: (target) => request('DELETE', target),
  };
};

const locationOf = (answer: BenchAnswer): string => {
  const location = headerOf(answer, 'location');
  if (location === undefined) throw new Error(`no redirect: ${answer.status} ${answer.body.slice(0, 300)}`);
  return location.replace(ORIGIN, '');
};

const postAnswer = async (browser: BenchBrowser, target: string, json: unknown): Promise<string> =>
  locationOf(
    await browser.get(JSON.parse(expectStatus(await browser.post(target, json), 200).body).returnTo),
  );

/** Opens an authorization request; returns the address of its interaction, or of the app. */
export const startAuthorization = async (
  browser: BenchBrowser,
  parameters: Record<string, string> = {},
): Promise<string> => {
  const query = new URLSearchParams({
    client_id: CLIENT_ID,
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: SCOPE,
    state: randomBytes(16).toString('base64url'),
    nonce: randomBytes(16).toString('base64url'),
    code_challenge: CODE_CHALLENGE,
    code_challenge_method: 'S256',
    ...parameters,
  });
  return locationOf(await browser.get(`/oauth/authorize?${query}`));
};

/**
 * Takes an authorization request to its code as the SPA does: the interaction’s page and details, then the person’s
 * answer, who signs in as `identifier` if asked, and approves.
 */
export const obtainCode = async (
  browser: BenchBrowser,
  parameters: Record<string, string> = {},
  identifier = '',
): Promise<string> => {
  let location = await startAuthorization(browser, parameters);
  while (location.startsWith('/interaction/')) {
    const interaction = location;
    expectStatus(await browser.get(interaction), 303);
    const { prompt } = JSON.parse(expectStatus(await browser.get(`${interaction}/details`), 200).body);
    location =
      prompt === 'consent'
        ? await postAnswer(browser, `${interaction}/consent`, {})
        : await postAnswer(browser, `${interaction}/login`, { identifier, password: PASSWORD });
  }
  const code = new URL(location).searchParams.get('code');
  if (!code) throw new Error(`no code at ${location}`);
  return code;
};

const postForm = (send: Send, path: string, form: Record<string, string>) =>
  send({
    method: 'POST',
    path,
    headers: { authorization: clientAuthorization, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });

/** RFC 6749 section 4.1.3. */
export const redeemCode = async (send: Send, code: string): Promise<BenchAnswer> =>
  expectStatus(
    await postForm(send, '/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: CODE_VERIFIER,
    }),
    200,
  );

/** RFC 6749 section 6; returns the successor. */
export const refresh = async (send: Send, refreshToken: string): Promise<string> => {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
  const answer = expectStatus(await postForm(send, '/oauth/token', form), 200);
  return JSON.parse(answer.body).refresh_token;
};

/** RFC 7662 section 2.1. */
export const introspect = async (send: Send, form: Record<string, string>): Promise<void> => {
  const { body } = expectStatus(await postForm(send, '/oauth/introspect', form), 200);
  if (!body.startsWith('{"active":true')) throw new Error(`the token is not active: ${body}`);
};

/** OpenID Connect Core section 5.3.1. */
export const fetchUserinfo = async (send: Send, accessToken: string): Promise<void> => {
  const headers = { authorization: `Bearer ${accessToken}` };
  expectStatus(await send({ path: '/oauth/userinfo', headers }), 200);
};
