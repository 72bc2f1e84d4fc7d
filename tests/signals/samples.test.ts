import { createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has, startSample } from '../support/running-sample.ts';
import { freePort } from '../support/world.ts';

const key = randomBytes(32);
const other = randomBytes(32);
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'candela-webhook-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const seconds = () => Math.floor(Date.now() / 1_000);

/** A webhook as the server sends it, with a signature for each key. */
const send = (port: number, { keys = [key], at = seconds(), change = '' } = {}) => {
  const body = JSON.stringify({ type: 'link-ended', timestamp: '2026-11-25T08:00:00.000Z', data: {} });
  const signed = `id.${at}.${body}`;
  const signatures = keys.map((one) => `v1,${createHmac('sha256', one).update(signed).digest('base64')}`);
  return fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'id',
      'webhook-timestamp': String(at),
      'webhook-signature': signatures.join(' '),
    },
    body: body + change,
  }).then(({ status }) => status);
};

describe.each([
  ['webhook.mjs', true],
  ['webhook.py', has('python3', '--version')],
  ['webhook.go', has('go', 'version')],
])('the receiver %s', (name, isThere) => {
  test.skipIf(!isThere)('takes what is signed by its secret, and nothing else', async () => {
    const port = await freePort();
    const receiver = startSample(name, directory, {
      PORT: String(port),
      WEBHOOK_SECRET: `whsec_${key.toString('base64')}`,
    });
    try {
      await expect.poll(() => send(port).catch(() => 0)).toBe(204);
      expect(await send(port, { keys: [other, key] })).toBe(204);
      expect(await send(port, { keys: [other] })).toBe(401);
      expect(await send(port, { keys: [] })).toBe(401);
      expect(await send(port, { change: ' ' })).toBe(401);
      expect(await send(port, { at: seconds() - 3_600 })).toBe(401);
    } finally {
      receiver.kill();
    }
  });
});
