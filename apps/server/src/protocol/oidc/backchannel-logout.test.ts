import { describe, expect, test } from 'vitest';
import { createLogoutSender } from './backchannel-logout.ts';

describe('a client whose look-up fails', () => {
  const logout = { brand: 'aurelia', clientId: 'hub', accountId: 'ada', sid: 'sid' };
  const senderThatFinds = (find: () => Promise<unknown>) =>
    createLogoutSender(new Map([['aurelia', { provider: { Client: { find } } as never }]]));

  test('because the database is away costs the logout no try', async () => {
    const lost = new Error('Connection terminated unexpectedly');
    const { send } = senderThatFinds(() => Promise.reject(lost));
    expect(await send(logout, AbortSignal.timeout(1_000))).toBe('untried');
  });

  test('for another reason, or that cannot be reached, costs the logout a try', async () => {
    const invalid = senderThatFinds(() => Promise.reject(new Error('invalid_client_metadata')));
    await expect(invalid.send(logout, AbortSignal.timeout(1_000))).rejects.toThrow('invalid_client_metadata');
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const down = senderThatFinds(async () => ({
      backchannelLogoutUri: 'https://hub.example/',
      backchannelLogout: () => Promise.reject(refused),
    }));
    await expect(down.send(logout, AbortSignal.timeout(1_000))).rejects.toBe(refused);
  });
});
