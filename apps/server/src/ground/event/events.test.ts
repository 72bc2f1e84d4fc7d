import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { eventNames } from './event-names.ts';
import { createEvents } from './events.ts';
import { runWithReference } from './request-reference.ts';

const create = () => {
  const lines: object[] = [];
  const warned: object[] = [];
  const events = createEvents({
    info: (line: object) => void lines.push(line),
    warn: (line: object) => void warned.push(line),
  } as never);
  return { lines, warned, events };
};

test('an event of a request is one line with the reference of its error page', async () => {
  const { lines, events } = create();
  await runWithReference('abcdef012345', async () => {
    await Promise.resolve();
    events.emit('sign_in.refused', { brand: 'aurelia', reason: 'invalid_credentials' });
  });
  expect(lines).toEqual([
    { event: 'sign_in.refused', requestId: 'abcdef012345', brand: 'aurelia', reason: 'invalid_credentials' },
  ]);
});

test('an event that an operator is to look at is logged at warn', () => {
  const { lines, warned, events } = create();
  events.emit('client.own_opened', { clientId: 'hub', reason: 'secret_added' });
  expect([lines, warned]).toEqual([[], [expect.objectContaining({ clientId: 'hub' })]]);
});

test('an event outside of a request has no reference', () => {
  const { lines, events } = create();
  runWithReference('abcdef012345', () => undefined);
  events.emit('keys.rotated');
  expect(lines).toEqual([{ event: 'keys.rotated', requestId: undefined }]);
});

test('events are counted by name, reason and method, and free text is no reason', () => {
  const { events } = create();
  events.emit('token.refused', { reason: 'invalid_grant' });
  events.emit('token.refused', { reason: 'invalid_grant' });
  events.emit('token.refused', { reason: 'what somebody wrote: 1' });
  events.emit('sign_in.succeeded', { method: 'code' });
  const none = { reason: '', method: '', limit: '' };
  expect(events.counts()).toEqual([
    { ...none, event: 'token.refused', reason: 'invalid_grant', count: 2 },
    { ...none, event: 'token.refused', count: 1 },
    { ...none, event: 'sign_in.succeeded', method: 'code', count: 1 },
  ]);
});

test('docs/events.md explains every event', async () => {
  const text = await readFile(new URL('../../../../../docs/events.md', import.meta.url), 'utf8');
  for (const [name, meaning] of Object.entries(eventNames))
    expect(text).toContain(`| \`${name}\` | ${meaning} |`);
});
