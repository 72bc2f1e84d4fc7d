import { expect, test } from 'vitest';
import { createAccountToEnd, EMAIL } from '../../../testing/account-to-end.ts';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { codeOf } from '../../../testing/identity.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { createSessionService } from '../../person/session/session.service.ts';
import { createAccountStatusService } from '../account-status/account-status.service.ts';
import { createDataExportService } from './data-export.service.ts';

describeOnDatabases('the export of an account', (connection) => {
  test('LV11: that is disabled after its session was read is refused, and nothing is stored or taken', async () => {
    const { db } = connection;
    const { world, id } = await createAccountToEnd(db);
    const sessions = createSessionService({ db });
    const current = await sessions.findCurrent({ brand: 'aurelia', idHash: hashToken('this') });
    if (!current) throw new Error('the session was made just now');
    const dataExports = createDataExportService({
      ...world,
      db,
      now: () => world.clock.at,
      messages: { add: async () => ({ start: async () => undefined }) },
      clients: { findClient: async () => undefined },
      secretKeys: ['a key of the test'],
      brands: [],
      pageTexts: undefined,
    });
    const { disable } = createAccountStatusService({ db, events: world.events });
    await disable(EMAIL, { reason: 'a test', endLinks: false });

    expect(await codeOf(dataExports.request(current))).toBe('account_disabled');
    expect(await db.selectFrom('account_export').select('account_id').execute()).toEqual([]);

    const at = { ready_at: new Date(), expires_at: new Date(Date.now() + 60_000) };
    await db
      .insertInto('account_export')
      .values({ account_id: id, brand: 'aurelia', ...at })
      .execute();
    const piece = { account_id: id, number: 0, sealed: 'sealed' };
    await db.insertInto('account_export_piece').values(piece).execute();
    expect(await codeOf(dataExports.download(current))).toBe('account_disabled');
    expect(await db.selectFrom('account_export_piece').selectAll().execute()).toEqual([piece]);
  });
});
