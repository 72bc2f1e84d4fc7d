import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestIdentity } from '../authentication/testing.ts';
import type { Connection } from '../db/connect.ts';
import { openTestDatabases } from '../db/testing.ts';
import { createDeviceService } from './device.service.ts';
import { createDeviceId, hashDeviceId, isDeviceId } from './device-id.ts';
import { sweepDevices } from './sweep.ts';

test('a device id is 256 random bits, told from anything else, and stored as a digest', () => {
  const device = createDeviceId();
  expect(isDeviceId(device)).toBe(true);
  for (const text of ['', 'a', `${device}a`, device.replace(/.$/, '/')]) expect(isDeviceId(text)).toBe(false);
  expect(hashDeviceId(device)).toMatch(/^[\w-]{43}$/);
  expect(hashDeviceId(device)).not.toBe(device);
});

describe.each(openTestDatabases())('on $name', ({ open }) => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await open();
  }, 60_000);
  afterAll(() => connection.close());

  test('a browser remembers its accounts, the last used first, until it forgets them', async () => {
    const world = createTestIdentity(connection.db);
    const devices = createDeviceService({ db: connection.db, now: () => world.clock.at });
    const ada = await world.signUp('Ada@example.com');
    const bob = await world.signUp('+8613800138000');
    const [device, other] = [createDeviceId(), createDeviceId()];
    for (const id of [ada.id, bob.id, ada.id]) {
      await devices.rememberAccount(device, id);
      world.pass(1);
    }
    expect(await devices.listRemembered(device)).toEqual([
      { id: ada.id, identifier: 'Ada@example.com', nickname: ada.nickname },
      { id: bob.id, identifier: '+8613800138000', nickname: bob.nickname },
    ]);
    expect(await devices.listRemembered(other)).toEqual([]);
    await devices.forgetAccount(other, ada.id);
    await devices.forgetAccount(device, ada.id);
    expect((await devices.listRemembered(device)).map(({ id }) => id)).toEqual([bob.id]);
    expect(await sweepDevices(connection.db, world.clock.at, 10)).toBe(0);
    world.pass(400 * 86_400);
    expect(await sweepDevices(connection.db, world.clock.at, 10)).toBe(1);
    expect(await devices.listRemembered(device)).toEqual([]);
  });

  test('an account is required to be there and not disabled', async () => {
    const world = createTestIdentity(connection.db);
    const account = await world.signUp('eve@example.com');
    expect(await world.accounts.requireAccount(account.id)).toEqual(account);
    await connection.db.updateTable('account').set({ status: 'disabled' }).execute();
    await expect(world.accounts.requireAccount(account.id)).rejects.toMatchObject({
      code: 'account_disabled',
    });
    expect(await world.accounts.findAccount(account.id)).toMatchObject({ account, status: 'disabled' });
    await expect(world.accounts.requireAccount('nobody')).rejects.toMatchObject({ code: 'not_signed_in' });
    expect(await world.accounts.findAccount('nobody')).toBeUndefined();
  });
});
