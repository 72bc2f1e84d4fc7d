import { expect, test } from 'vitest';
import { statusOf } from './client-status.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const secret = (expiresAt?: string) => ({
  name: 'server',
  createdAt: '2026-01-01T00:00:00Z',
  ...(expiresAt && { expiresAt }),
});
const client = { disabled: false, token_endpoint_auth_method: 'client_secret_basic', secrets: [secret()] };
const ended = { ...client, secrets: [secret('2026-11-23T11:59:59Z')] };
const health = (tokens: number, refreshes: number, errorsToday: number, lastTokenAt?: string) => ({
  errorsToday,
  ...(lastTokenAt && { lastTokenAt }),
  days: [
    { day: '2026-11-22', tokens: 5, refreshes: 5, errors: {} },
    { day: '2026-11-23', tokens, refreshes, errors: {} },
  ],
});
const LAST = '2026-11-22T10:00:00Z';

test.each([
  ['disabled', { ...client, disabled: true }, health(1, 1, 0, LAST)],
  ['secretless', ended, health(1, 0, 0, LAST)],
  ['secretless', { ...client, secrets: [] }, health(0, 0, 0)],
  ['unused', client, health(0, 0, 0)],
  ['unused', { ...client, token_endpoint_auth_method: 'none', secrets: [] }, health(0, 0, 0)],
  ['failing', client, health(0, 0, 2)],
  ['failing', client, health(0, 0, 2, LAST)],
  ['mixed', client, health(0, 1, 2, LAST)],
  [
    'working',
    { ...client, secrets: [...ended.secrets, secret('2026-11-24T00:00:00Z')] },
    health(1, 0, 0, LAST),
  ],
  ['idle', client, health(0, 0, 0, LAST)],
] as const)('a client is %s', (status, registration, found) => {
  expect(statusOf({ ...registration, secrets: [...registration.secrets] }, found, NOW)).toBe(status);
});
