import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../../testing/databases.ts';
import { recordEvents } from '../../../testing/recorded-events.ts';
import { unreadable } from '../../branding/picture/image-format.ts';
import type { PictureEncoder } from '../../branding/picture/picture-encoder.ts';
import type { Connection } from '../../ground/db/connect.ts';
import { AppError } from '../../ground/errors.ts';
import { createAvatarService } from './avatar.service.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await openTestDatabase();
});
afterAll(() => connection?.close());

const owner = { accountId: 'account-1', brand: 'aurelia', uid: 'session-1' };

const setAvatar = async (toAvatar: PictureEncoder['toAvatar']) => {
  const events = recordEvents();
  const avatars = createAvatarService({
    db: connection.db,
    encoder: { toAvatar },
    brands: [],
    events,
    now: () => new Date('2026-11-21T12:00:00Z'),
  });
  const refused = await avatars.setAvatar(owner, Buffer.from('a picture')).catch((error: Error) => error);
  return { refused, events: events.all };
};

test('the log has the account of a refused picture, the reason and the fault', async () => {
  const { refused, events } = await setAvatar(async () => {
    throw unreadable('too many pixels');
  });
  expect(refused).toMatchObject({ code: 'image_unreadable' });
  expect(events).toEqual([
    {
      event: 'picture.refused',
      accountId: 'account-1',
      brand: 'aurelia',
      reason: 'image_unreadable',
      detail: 'too many pixels',
    },
  ]);
});

test.each([
  ['unsupported_media_type', () => Promise.reject(new AppError('unsupported_media_type'))],
  ['busy', () => Promise.reject(new AppError('busy'))],
  ['not_signed_in', async () => Buffer.from('encoded')],
])('a refusal for %s is logged as well', async (reason, toAvatar) => {
  const { events } = await setAvatar(toAvatar);
  expect(events).toMatchObject([{ event: 'picture.refused', accountId: 'account-1', reason }]);
});

test('pictures wait in the lane of their account', async () => {
  const senders: unknown[] = [];
  await setAvatar(async (_bytes, from) => {
    senders.push(from);
    return Buffer.from('encoded');
  });
  expect(senders).toEqual(['account-1']);
});

test('an internal error is not reported as a refusal', async () => {
  const { refused, events } = await setAvatar(() => Promise.reject(new Error('a fault')));
  expect(refused).toMatchObject({ message: 'a fault' });
  expect(events).toEqual([]);
});
