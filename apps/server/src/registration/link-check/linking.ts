import { createHash, randomBytes } from 'node:crypto';
import { type Course, type Exchange, type Finding, readText, shownAnswer } from './course.ts';
import type { Arrival } from './visitor.ts';

/** A request by which a link begins. */
interface Asked {
  redirectUri: string;
  state: string;
  verifier: string | undefined;
}

/** A code at the platform, and what the token request repeats of its request. */
export interface Code extends Pick<Asked, 'redirectUri' | 'verifier'> {
  code: string;
}

/** What came of a link that a person began. */
export interface Linked {
  exchange: Exchange;
  findings: Finding[];
  code: Code | undefined;
}

/** The pages at which the person acts: sign-in and consent are enough. */
const MOST_PAGES = 4;

/** What the documentation says to enter as the scope. */
const DEFAULT_SCOPE = 'openid profile';

const scopeOf = ({ conduct, metadata, resource }: Course): string => {
  if (conduct.scope !== 'registered') return conduct.scope;
  return resource?.scope ?? (readText(metadata.scope) || DEFAULT_SCOPE);
};

const createAsked = ({ conduct, masks }: Course, uri: string, challenge: boolean): Asked => {
  const state = randomBytes(16).toString('base64url');
  masks.hide(state, 'state');
  const token = randomBytes(16).toString('base64url');
  if (conduct.speaksInAddresses) masks.hide(token, "the person's token");
  const verifier = challenge ? randomBytes(32).toString('base64url') : undefined;
  masks.hide(verifier, 'verifier');
  const own = new URLSearchParams({ skillId: '861', token });
  return { redirectUri: conduct.speaksInAddresses ? `${uri}?${own}` : uri, state, verifier };
};

const targetOf = (course: Course, { redirectUri, state, verifier }: Asked): string => {
  const { conduct, standIn, resource, masks } = course;
  const challenge = verifier && createHash('sha256').update(verifier).digest('base64url');
  masks.hide(challenge, 'challenge');
  return `/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: standIn.id,
    redirect_uri: redirectUri,
    scope: scopeOf(course),
    state,
    ...conduct.parameters,
    ...(challenge && { code_challenge: challenge, code_challenge_method: 'S256' }),
    ...(resource && { resource: resource.identifier }),
  })}`;
};

/** Acts as the person: signs in and allows, until the browser leaves the server or knows no further. */
const passPages = async (course: Course, first: Arrival): Promise<Arrival> => {
  const { browser, standIn, interactions } = course;
  let last = first;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const uid = last.answer?.status === 200 ? last.url.searchParams.get('interaction') : null;
    if (uid === null) break;
    if (!interactions.includes(uid)) interactions.push(uid);
    const isConsent = last.url.pathname === '/consent';
    const { identifier, password } = standIn;
    const answered = isConsent
      ? await browser.submit(`/interaction/${uid}/consent`, {})
      : await browser.submit(`/interaction/${uid}/login`, { identifier, password });
    const returnTo = readText(answered.body.returnTo);
    if (answered.status !== 200 || returnTo === '') return { ...last, answer: answered };
    last = await browser.visit(returnTo);
  }
  return last;
};

/** Why no code came to the redirect URI. */
const refusalOf = (course: Course, { redirectUri }: Asked, { url, answer }: Arrival): Finding => {
  const { metadata, isDisabled, issuer } = course;
  const error = url.searchParams.get('error');
  const why = url.searchParams.get('error_description') ?? '';
  if (isDisabled) return { problem: 'client_disabled' };
  if (error === 'invalid_scope' || error === 'invalid_target')
    return { problem: 'scope_refused', field: 'scope', value: DEFAULT_SCOPE };
  if (error === 'invalid_request' && /challenge|pkce/i.test(why))
    return { problem: 'challenge_required', field: 'require_pkce', value: 'false' };
  if (error !== null) return { problem: 'request_refused', value: `${error} ${why}`.trim() };
  if (url.origin !== issuer) return { problem: 'answer_changed', value: url.origin + url.pathname };
  if (answer?.body.error !== undefined)
    return { problem: 'request_refused', value: shownAnswer(course, answer) };
  const uris = Array.isArray(metadata.redirect_uris) ? metadata.redirect_uris.map(String) : [];
  if (!uris.some((uri) => redirectUri.startsWith(uri)))
    return { problem: 'redirect_uri_missing', field: 'redirect_uris', value: redirectUri };
  return { problem: 'client_not_known', value: issuer };
};

/** What of the request did not come back as it was. */
const changesOf = ({ redirectUri, state }: Asked, arrived: URL): Finding[] => {
  const wanted = new URL(redirectUri);
  const same =
    arrived.origin + arrived.pathname === wanted.origin + wanted.pathname &&
    arrived.searchParams.get('state') === state &&
    [...wanted.searchParams].every(([name, value]) => arrived.searchParams.get(name) === value);
  return same ? [] : [{ problem: 'answer_changed', value: arrived.origin + arrived.pathname }];
};

/** Begins a link at a redirect URI, and acts as its person until the code is there. */
export const beginLink = async (
  course: Course,
  uri: string,
  { challenge = false }: { challenge?: boolean } = {},
): Promise<Linked> => {
  const { browser, masks } = course;
  const asked = createAsked(course, uri, challenge);
  const target = targetOf(course, asked);
  const last = await passPages(course, await browser.visit(target));
  const code = last.url.searchParams.get('code') ?? '';
  masks.hide(code, 'code');
  const arrived = last.answer === undefined && code !== '';
  const came = last.answer ? shownAnswer(course, last.answer) : masks.mask(`303 ${last.url.href}`);
  return {
    exchange: { sent: masks.mask(`GET ${target}`), came },
    findings: arrived ? changesOf(asked, last.url) : [refusalOf(course, asked, last)],
    code: arrived ? { code, redirectUri: asked.redirectUri, verifier: asked.verifier } : undefined,
  };
};
