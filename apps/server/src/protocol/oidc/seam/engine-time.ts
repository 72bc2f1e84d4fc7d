import type { AdapterPayload } from 'oidc-provider';
import { aheadSeconds } from '../../../ground/db/clock.ts';
import { readJwtPart } from '../jwt/unverified-jwt.ts';

/** What the engine writes from `Date.now()` and compares with it, in seconds since the epoch. */
const names = ['iat', 'exp', 'nbf', 'iiat'] as const;

/** The time by which the engine writes and compares, in whole seconds. */
export const engineNowSeconds = (): number => Math.floor(Date.now() / 1000);

const shift = <Times extends Record<string, unknown>>(times: Times, seconds: number): Times => {
  const shifted: Record<string, unknown> = { ...times };
  for (const name of names) {
    const time = shifted[name];
    if (typeof time === 'number') shifted[name] = time + seconds;
  }
  return shifted as Times;
};

/** A pushed request is kept as an unsigned JWT with times of its own. */
const shiftRequest = (request: string, seconds: number): string => {
  const [header = ''] = request.split('.');
  const claims = shift(readJwtPart(request, 1) ?? {}, seconds);
  return `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
};

const shiftPayload = (payload: AdapterPayload, seconds: number): AdapterPayload => {
  if (seconds === 0) return payload;
  const { request } = payload;
  return {
    ...shift(payload, seconds),
    ...(typeof request === 'string' && { request: shiftRequest(request, seconds) }),
  };
};

/** What the engine saves, by the database's clock: another process reads it with a clock of its own. */
export const toDatabaseTime = (payload: AdapterPayload): AdapterPayload =>
  shiftPayload(payload, -aheadSeconds());

/** What is stored, by the clock of this process, which is the one that the engine knows. */
export const toEngineTime = (payload: AdapterPayload | undefined): AdapterPayload | undefined =>
  payload && shiftPayload(payload, aheadSeconds());
