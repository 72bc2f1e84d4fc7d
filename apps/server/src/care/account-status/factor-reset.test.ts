import { expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { codeOf, createTestIdentity } from '../../../testing/identity.ts';
import { builtInBrands } from '../../branding/brand/built-in.ts';
import type { Message } from '../../person/delivery/message.ts';
import { createAccountStatusService } from './account-status.service.ts';
import { resetFactors } from './factor-reset.ts';

describeOnDatabases('an operator', (connection) => {
  test('SF30: switches the second factor off for somebody who lost all of it, and all contacts are told', async () => {
    const { db } = connection;
    const world = createTestIdentity(db);
    const { id } = await world.signUp('ada@example.com');
    const at = world.clock.at;
    const later = new Date(Date.now() + 1e9);
    await db
      .insertInto('totp')
      .values({ account_id: id, sealed_secret: 'x', session_uid: null, started_at: at, active_since: at })
      .execute();
    await db
      .insertInto('recovery_code')
      .values([
        { account_id: id, code_hash: 'a' },
        { account_id: id, code_hash: 'b', used_at: at },
      ])
      .execute();
    const wait = { kind: 'email' as const, value: 'ada@example.com', stop_hash: 'x', requested_at: at };
    await db
      .insertInto('recovery_wait')
      .values({ ...wait, account_id: id, due_at: later, expires_at: later })
      .execute();

    const { show } = createAccountStatusService({ db, events: world.events });
    expect(await show('ada@example.com')).toMatchObject({
      secondFactor: { since: at, recoveryCodesLeft: 1 },
      passkeys: 0,
      trustedBrowsers: 0,
      recoveryWaits: [{ kind: 'email', dueAt: later }],
    });

    const sent: Message[] = [];
    const options = {
      db,
      messages: {
        add: async (_: unknown, message: Message) => {
          sent.push(message);
          return { start: async () => undefined };
        },
      },
      brand: { ...builtInBrands[0], origin: 'https://id.aurelia.example' },
      events: world.events,
      now: () => at,
    };
    expect(await resetFactors(options, 'ada@example.com')).toEqual({ id, changed: true });
    expect(sent.map(({ to, purpose }) => [to, purpose])).toEqual([
      ['ada@example.com', 'recovery_wait_stopped'],
      ['ada@example.com', 'totp_removed'],
    ]);
    expect(world.events.all).toContainEqual({
      event: 'second_factor.removed',
      accountId: id,
      actor: 'operator',
    });
    expect(await show(id)).not.toHaveProperty('secondFactor');
    expect(await show(id)).toMatchObject({ recoveryWaits: [] });
    expect(
      await db.selectFrom('activity').select('kind').where('account_id', '=', id).execute(),
    ).toContainEqual({
      kind: 'totp_removed',
    });
    expect(await resetFactors(options, id)).toEqual({ id, changed: false });
    expect(sent).toHaveLength(2);
    expect(await codeOf(resetFactors(options, 'nobody@example.com'))).toBe('account_not_found');
  });
});
