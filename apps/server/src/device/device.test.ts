import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabases } from '../../testing/databases.ts';
import { createTestIdentity } from '../../testing/identity.ts';
import { updateSessionEpoch } from '../account/account.repository.ts';
import { isDeviceId } from '../browser/device-id.ts';
import type { Connection } from '../db/connect.ts';
import { parseIdentifier } from '../identifier/identifier.ts';
import { createOpaqueToken, hashToken } from '../opaque-token.ts';
import { createDeviceService } from './device.service.ts';
import { sweepDevices } from './sweep.ts';

test('a device id is 256 random bits, told from anything else, and stored as a digest', () => {
  const device = createOpaqueToken();
  expect(isDeviceId(device)).toBe(true);
  for (const text of ['', 'a', `${device}a`, device.replace(/.$/, '/')]) expect(isDeviceId(text)).toBe(false);
  expect(hashToken(device)).toMatch(/^[\w-]{43}$/);
  expect(hashToken(device)).not.toBe(device);
});

describe.each(openTestDatabases())('on $name', ({ open }) => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await open();
  }, 60_000);
  afterAll(() => connection.close());

  const createWorld = () => {
    const world = createTestIdentity(connection.db);
    return { world, devices: createDeviceService({ db: connection.db, now: () => world.clock.at }) };
  };

  test('a browser remembers what was submitted in it, the last used first, until it forgets', async () => {
    const { world, devices } = createWorld();
    const ada = await world.signUp('ada@example.com');
    const bob = await world.signUp('+8613800138000');
    const [device, other] = [createOpaqueToken(), createOpaqueToken()];
    const typed = [
      [ada.id, 'ada@example.com'],
      [bob.id, '+86 138 0013 8000'],
      [ada.id, 'Ada@Example.com'],
    ] as const;
    for (const [id, identifier] of typed) {
      await devices.rememberAccount(device, { accountId: id, epoch: 0 }, parseIdentifier(identifier));
      world.pass(1);
    }
    expect(await devices.listRemembered(device)).toEqual([
      { id: ada.id, identifier: 'Ada@example.com' },
      { id: bob.id, identifier: '+8613800138000' },
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

  test('a sign-in that began before all sessions ended is not remembered', async () => {
    const { world, devices } = createWorld();
    const { id: accountId } = await world.signUp('zoe@example.com');
    const device = createOpaqueToken();
    await updateSessionEpoch(connection.db, accountId);
    const submitted = parseIdentifier('zoe@example.com');
    await devices.rememberAccount(device, { accountId, epoch: 0 }, submitted);
    expect(await devices.listRemembered(device)).toEqual([]);
    await devices.rememberAccount(device, { accountId, epoch: 1 }, submitted);
    expect(await devices.listRemembered(device)).toHaveLength(1);
  });

  test('what is no longer bound to the account is not shown, nor what another release wrote', async () => {
    const { world, devices } = createWorld();
    const eve = await world.signUp('eve.old@example.com');
    const next = await world.signUp('+8613800138001');
    const device = createOpaqueToken();
    await devices.rememberAccount(
      device,
      { accountId: eve.id, epoch: 0 },
      parseIdentifier('eve.old@example.com'),
    );
    const bound = connection.db.updateTable('account_identifier').where('value', '=', 'eve.old@example.com');
    await bound.set({ account_id: next.id }).execute();
    expect(await devices.listRemembered(device)).toEqual([]);
    await bound.set({ account_id: eve.id }).execute();
    expect(await devices.listRemembered(device)).toHaveLength(1);
    const blank = { kind: null, value: null, display: null };
    await connection.db.updateTable('device_account').set(blank).execute();
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
