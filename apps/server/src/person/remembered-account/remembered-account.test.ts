import { expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { createTestIdentity } from '../../../testing/identity.ts';
import { rememberAccount } from '../../../testing/remember-account.ts';
import { isBrowserId } from '../../ground/browser/browser-id.ts';
import { type Identifier, parseIdentifier } from '../../ground/identifier/identifier.ts';
import { createOpaqueToken, hashToken } from '../../ground/opaque-token.ts';
import { updateSessionEpoch } from '../account/account.repository.ts';
import { createRememberedAccountService } from './remembered-account.service.ts';
import { sweepRememberedAccounts } from './sweep.ts';

test('the id of a browser is 256 random bits in a recognisable form, and is stored as a digest', () => {
  const browserId = createOpaqueToken();
  expect(isBrowserId(browserId)).toBe(true);
  for (const text of ['', 'a', `${browserId}a`, browserId.replace(/.$/, '/')])
    expect(isBrowserId(text)).toBe(false);
  expect(hashToken(browserId)).toMatch(/^[\w-]{43}$/);
  expect(hashToken(browserId)).not.toBe(browserId);
});

describeOnDatabases('remembered accounts', (connection) => {
  const createWorld = () => {
    const world = createTestIdentity(connection.db);
    return {
      world,
      rememberedAccounts: createRememberedAccountService({ db: connection.db }),
      remember: (browserId: string, account: { accountId: string; epoch: number }, submitted: Identifier) =>
        rememberAccount(connection.db, { browserId, at: world.clock.at }, account, submitted),
    };
  };

  test('a browser remembers the submitted identifiers, the last used first, until it forgets them', async () => {
    const { world, rememberedAccounts, remember } = createWorld();
    const ada = await world.signUp('ada@example.com');
    const bob = await world.signUp('+8613800138000');
    const [browserId, other] = [createOpaqueToken(), createOpaqueToken()];
    const typed = [
      [ada.id, 'ada@example.com'],
      [bob.id, '+86 138 0013 8000'],
      [ada.id, 'Ada@Example.com'],
    ] as const;
    for (const [id, identifier] of typed) {
      await remember(browserId, { accountId: id, epoch: 0 }, parseIdentifier(identifier));
      world.pass(1);
    }
    expect(await rememberedAccounts.listRemembered(browserId)).toEqual([
      { id: ada.id, identifier: 'Ada@example.com' },
      { id: bob.id, identifier: '+8613800138000' },
    ]);
    expect(await rememberedAccounts.listRemembered(other)).toEqual([]);

    await rememberedAccounts.forgetAccount(other, ada.id);
    await rememberedAccounts.forgetAccount(browserId, ada.id);
    expect((await rememberedAccounts.listRemembered(browserId)).map(({ id }) => id)).toEqual([bob.id]);

    expect(await sweepRememberedAccounts(connection.db, world.clock.at, 10)).toBe(0);
    world.pass(400 * 86_400);
    expect(await sweepRememberedAccounts(connection.db, world.clock.at, 10)).toBe(1);
    expect(await rememberedAccounts.listRemembered(browserId)).toEqual([]);
  });

  test('a sign-in that began before all sessions ended is not remembered', async () => {
    const { world, rememberedAccounts, remember } = createWorld();
    const { id: accountId } = await world.signUp('zoe@example.com');
    const browserId = createOpaqueToken();
    await updateSessionEpoch(connection.db, accountId);
    const submitted = parseIdentifier('zoe@example.com');
    await remember(browserId, { accountId, epoch: 0 }, submitted);
    expect(await rememberedAccounts.listRemembered(browserId)).toEqual([]);
    await remember(browserId, { accountId, epoch: 1 }, submitted);
    expect(await rememberedAccounts.listRemembered(browserId)).toHaveLength(1);
  });

  test('an identifier no longer bound to the account is not shown, nor is a row of another release', async () => {
    const { world, rememberedAccounts, remember } = createWorld();
    const eve = await world.signUp('eve.old@example.com');
    const next = await world.signUp('+8613800138001');
    const browserId = createOpaqueToken();
    await remember(browserId, { accountId: eve.id, epoch: 0 }, parseIdentifier('eve.old@example.com'));
    const bound = connection.db.updateTable('account_identifier').where('value', '=', 'eve.old@example.com');
    await bound.set({ account_id: next.id }).execute();
    expect(await rememberedAccounts.listRemembered(browserId)).toEqual([]);
    await bound.set({ account_id: eve.id }).execute();
    expect(await rememberedAccounts.listRemembered(browserId)).toHaveLength(1);
    const blank = { kind: null, value: null, display: null };
    await connection.db.updateTable('device_account').set(blank).execute();
    expect(await rememberedAccounts.listRemembered(browserId)).toEqual([]);
  });

  test('the account must exist and not be disabled', async () => {
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
