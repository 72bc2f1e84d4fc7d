import { setTimeout as wait } from 'node:timers/promises';
import type { Course, Exchange, Finding, Outcome, Tokens } from './course.ts';
import { beginLink } from './linking.ts';
import { exchangeCode, refresh, revoke, type Told } from './token-requests.ts';

/** So many days a home may be away: people go on journeys. */
const DAYS_AWAY = 60;
/** For so many days a platform repeats a refresh whose answer was lost. */
const DAYS_REPEATED = 21;
const DAY_SECONDS = 86_400;

/** After so many milliseconds the platform hangs up, to send the request again. */
const HANG_UP_MS = 5;

const repeatRefused: Finding = { problem: 'repeat_refused', field: 'refresh_mode', value: 'overlap' };

const refusedOf = ({ exchange: { came } }: Told): Finding => ({ problem: 'refresh_refused', value: came });

/** What the requests came to. The platform goes on with the last tokens that it got. */
const outcomeOf = (told: readonly Told[], finding: (refused: Told) => Finding): Outcome<Tokens> => {
  const refused = told.find(({ tokens }) => !tokens);
  return {
    exchanges: told.map(({ exchange }) => exchange),
    findings: refused ? [finding(refused)] : [],
    held: told.findLast(({ tokens }) => tokens)?.tokens,
  };
};

/** The platform refreshes its access token. */
export const refreshOnce = async (course: Course, tokens: Tokens): Promise<Outcome<Tokens>> =>
  outcomeOf([await refresh(course, tokens)], refusedOf);

/** It sends the same refresh twice at once, as two of its servers do. */
export const refreshTwice = async (course: Course, tokens: Tokens): Promise<Outcome<Tokens>> =>
  outcomeOf(await Promise.all([refresh(course, tokens), refresh(course, tokens)]), () => repeatRefused);

/** The answer to a refresh never arrives, and the platform sends it again. */
export const refreshAgain = async (course: Course, tokens: Tokens): Promise<Outcome<Tokens>> =>
  outcomeOf([await refresh(course, tokens), await refresh(course, tokens)], () => repeatRefused);

/** The platform hangs up before the answer, and sends the refresh again. */
export const hangUp = async (course: Course, tokens: Tokens): Promise<Outcome<Tokens>> => {
  const hanging = new AbortController();
  const [hung] = await Promise.all([
    refresh(course, tokens, hanging.signal).catch(() => undefined),
    wait(HANG_UP_MS).then(() => hanging.abort()),
  ]);
  const again = await refresh(course, tokens);
  const { exchanges, findings, held } = outcomeOf([again], () => repeatRefused);
  const sent = exchanges[0]?.sent ?? '';
  const gone: Exchange = { sent, came: '(the platform hangs up before the answer)' };
  return { exchanges: [gone, ...exchanges], findings: findings ?? [], held: held ?? hung?.tokens };
};

/** The same account is linked a second time, with PKCE where the platform has it. The first link lives on. */
export const linkAgain = async (course: Course, uri: string, tokens: Tokens): Promise<Outcome<Tokens>> => {
  const { conduct } = course;
  const linked = await beginLink(course, uri, { challenge: conduct.challenges ?? false });
  const findings = [...linked.findings];
  if (!linked.code) return { exchanges: [linked.exchange], findings, held: tokens };
  const told = await exchangeCode(course, linked.code);
  const first = await refresh(course, tokens);
  if (!told.tokens) findings.push({ problem: 'exchange_refused', value: told.exchange.came });
  if (!first.tokens) findings.push(refusedOf(first));
  const exchanges = [linked.exchange, told.exchange, first.exchange];
  return { exchanges, findings, held: first.tokens };
};

/** Which field of the registration ended a link that was not used for so long. */
const endedBy = ({ conduct, metadata }: Course): Finding => {
  const isShort = (field: string, days: number) => Number(metadata[field] ?? Infinity) < days * DAY_SECONDS;
  const days = DAYS_AWAY + DAYS_REPEATED;
  const ended = (field: string, value: string): Finding => ({ problem: 'link_ended_early', field, value });
  if (conduct.keepsFirstToken && metadata.refresh_mode !== 'static') return ended('refresh_mode', 'static');
  if (isShort('refresh_family_ttl', days)) return ended('refresh_family_ttl', '-');
  return ended('refresh_token_ttl', String(400 * DAY_SECONDS));
};

const repeatEnded = (course: Course): Finding =>
  course.metadata.refresh_mode === 'rotate' ? repeatRefused : endedBy(course);

/** Two months later the platform refreshes. The answer is lost, and it sends the same token for three weeks more. */
export const comeBackLater = async (course: Course, tokens: Tokens): Promise<Outcome<Tokens>> => {
  await course.age(DAYS_AWAY);
  const back = await refresh(course, tokens);
  const shown = { ...back.exchange, sent: `(${DAYS_AWAY} days later) ${back.exchange.sent}` };
  if (!back.tokens) return { exchanges: [shown], findings: [endedBy(course)] };
  await course.age(DAYS_REPEATED);
  const again = await refresh(course, tokens);
  return {
    exchanges: [
      shown,
      { ...again.exchange, sent: `(${DAYS_REPEATED} days later, the same token) ${again.exchange.sent}` },
    ],
    findings: again.tokens ? [] : [repeatEnded(course)],
    held: again.tokens,
  };
};

/** The platform ends the link by the token that it has: no refresh token of it works afterwards. */
export const unlink = async (course: Course, tokens: Tokens): Promise<Outcome> => {
  const kind = course.conduct.revokes ?? 'refresh_token';
  const told = await revoke(course, kind === 'access_token' ? tokens.accessToken : tokens.refreshToken, kind);
  const after = await refresh(course, tokens);
  const isEnded = told.answer.status === 200 && after.answer.status === 400;
  return {
    exchanges: [told.exchange, after.exchange],
    findings: isEnded ? [] : [{ problem: 'link_survives', field: 'preset', value: course.platform }],
  };
};
