import { randomBytes } from 'node:crypto';
import { type Kysely, type OperationNode, RawNode } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { beforeAll, beforeEach, expect, expectTypeOf, test } from 'vitest';
import { createAccountToEnd, EMAIL, readAccountToEnd } from '../../../testing/account-to-end.ts';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { createStore } from '../../../testing/protocol-store.ts';
import { insertStream, listSignals } from '../../../testing/signal-streams.ts';
import { builtInBrands } from '../../branding/brand/built-in.ts';
import { createAccountStatusService } from '../../care/account-status/account-status.service.ts';
import { createLeavingService } from '../../care/leaving/leaving.service.ts';
import { createRecoveryService } from '../../care/recovery/recovery.service.ts';
import { createIdentifierChangeService } from '../../care/settings/identifier-change.service.ts';
import { noteChange } from '../../care/settings/identifier-loss.ts';
import { createPasswordService } from '../../care/settings/password.service.ts';
import { createTotpService } from '../../care/settings/totp.service.ts';
import { createUndoService } from '../../care/settings/undo.service.ts';
import type { Database } from '../../ground/db/database.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { createPasswordPolicy } from '../../person/credential/password-policy.ts';
import { createSessionService } from '../../person/session/session.service.ts';
import { issueTicket } from '../../person/verification/ticket.service.ts';
import { switchClient } from './client-ending.ts';
import { end } from './end.ts';
import { createEndingService } from './ending.service.ts';
import { type Ending, ends } from './what-ends-what.ts';

/**
 * What each event ends, listed by hand with the names of `createAccountToEnd`. `this` names the browser and the session
 * of the person who acts. Whatever a row does not name stays. `lamp` is told in this order, at the brand of `this`.
 */
const TABLE = `
| event                            | sessions   | bound grants | links    | consents | browsers   | codes and tickets | sign-ins under way | logouts    | what lamp is told                                                                |
| -------------------------------- | ---------- | ------------ | -------- | -------- | ---------- | ----------------- | ------------------ | ---------- | -------------------------------------------------------------------------------- |
| sign-out                         | this       | this         |          |          |            |                   |                    | this       | session-revoked                                                                  |
| one session                      | other      | other        |          |          |            |                   |                    | other      |                                                                                  |
| a provider warns                 | other      | other        |          |          |            |                   | all                | other      |                                                                                  |
| all other sessions               | other      | other        |          |          | other      |                   | all                | other      |                                                                                  |
| all sessions                     | other this | other this   |          |          | other      |                   | all                | other this | session-revoked sessions-revoked                                                 |
| one authorization withdrawn      |            |              | hub      | hub      |            |                   |                    |            |                                                                                  |
| all authorizations withdrawn     |            | other this   | hub lamp | hub lamp |            |                   |                    |            | link-ended                                                                       |
| password changed                 | other      | other        |          |          | other      | email phone       | all                | other      | credential-change                                                                |
| password changed, withdrawing    | other      | other this   | hub lamp | hub lamp | other      | email phone       | all                | other      | credential-change link-ended                                                     |
| second factor switched on        | other      | other        |          |          | other      | email phone       | all                | other      | credential-change                                                                |
| recovery                         | other this | other this   |          |          | other      | email phone       | all                | other this | recovery-activated credential-change session-revoked sessions-revoked            |
| recovery, withdrawing            | other this | other this   | hub lamp | hub lamp | other      | email phone       | all                | other this | recovery-activated credential-change session-revoked sessions-revoked link-ended |
| identifier unbound               |            |              |          |          |            | phone             |                    |            | identifier-changed                                                               |
| change of an identifier undone   | other this | other this   |          |          | other this | email phone       | all                | other this | credential-change session-revoked sessions-revoked                               |
| account disabled                 | other this | other this   |          |          |            | email phone       | all                | other this | account-disabled link-suspended session-revoked sessions-revoked                 |
| account disabled, with its links | other this | other this   | hub lamp | hub lamp |            | email phone       | all                | other this | account-disabled session-revoked sessions-revoked link-ended                     |
| the person leaves                | other this | other this   |          |          |            | email phone       | all                | other this | account-disabled link-suspended session-revoked sessions-revoked                 |
| the account is deleted           | other this | other this   | hub lamp | hub lamp | other this | email phone       | all                | other this | session-revoked sessions-revoked account-purged link-ended                       |
| client disabled                  |            | other this   | lamp     | lamp     |            |                   |                    |            | link-ended                                                                       |
| an app signs the browser out     | this       | this         |          |          |            |                   |                    | this       | session-revoked                                                                  |
| a token family ends              |            |              | lamp     |          |            |                   |                    |            | link-ended                                                                       |
`;

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

const goneOf = (before: readonly string[], after: readonly string[]): string =>
  before
    .filter((name) => !after.includes(name))
    .toSorted()
    .join(' ');

const rows = TABLE.trim().split('\n').slice(2).map(cellsOf);

const brand = { ...builtInBrands[0], origin: 'https://id.aurelia.example', rpId: 'id.aurelia.example' };

type Account = Awaited<ReturnType<typeof createAccountToEnd>>;

/** The services of the server over the account and its session `this`. */
const createServices = async (db: Kysely<Database>, { world }: Account) => {
  const now = () => world.clock.at;
  const options = {
    ...world,
    db,
    now,
    messages: { add: async () => ({ start: async () => undefined }) },
    hasher: {
      hash: async () => 'hash',
      verify: async () => false,
      verifyElsewhere: async () => false,
      needsRehash: () => false,
    },
    passwordPolicy: createPasswordPolicy({ profile: 'product', brandNames: [] }),
    grants: { listLinks: async () => [] },
    refusedSignIns: { note: () => undefined },
    directory: { nameOf: () => '', isEmpty: true },
  };
  const current = await createSessionService({ db }).findCurrent({
    brand: 'aurelia',
    idHash: hashToken('this'),
  });
  if (!current) throw new Error('the session was made just now');
  return {
    current,
    endings: createEndingService(options),
    statuses: createAccountStatusService(options),
    leavings: createLeavingService({ ...options, brands: [], keyOf: (text) => text }),
    passwords: createPasswordService(options),
    totps: createTotpService({ ...options, totpKeys: [randomBytes(32)], fingerprint: (text) => text }),
    now: options.now,
    recovery: createRecoveryService(options),
    identifiers: createIdentifierChangeService(options),
    undo: createUndoService(options),
  };
};

type Services = Awaited<ReturnType<typeof createServices>>;
type Act = (services: Services, account: Account, db: Kysely<Database>) => Promise<unknown>;

const changePassword =
  (withdrawAuthorizations: boolean): Act =>
  ({ passwords, current }, { browser: { browserId, address } }) =>
    passwords.setPassword(
      { ...current, proofs: [] },
      {
        password: 'starlight88',
        withdrawAuthorizations,
        browserId,
        address,
        brand,
      },
    );

const recover =
  (withdrawAuthorizations: boolean): Act =>
  async ({ recovery }, { world, browser: { browserId, address } }, db) => {
    const proof = { purpose: 'recover', identifier: EMAIL, browserHash: hashToken(browserId) } as const;
    const { ticket } = await issueTicket(db, proof, world.clock.at);
    const dropped = { dropIdentifiers: [], dropPasskeys: [], dropProviders: [] };
    const input = { ticket, password: 'starlight88', withdrawAuthorizations, ...dropped };
    await recovery.setPassword({ ...input, factor: {}, browserId, address, brand });
  };

const acts: Record<string, Act> = {
  'sign-out': ({ endings, current }) => endings.endSession(current, current.uid),
  'one session': ({ endings, current }) => endings.endSession(current, 'other'),
  'a provider warns': async (_, { id }, db) => {
    await db.updateTable('session').set({ proven_by: 'provider:door' }).where('uid', '=', 'other').execute();
    await end(db, ends.providerWarned, { accountId: id, identityId: 'door' });
  },
  'all other sessions': ({ endings, current }, { browser: { browserId } }) =>
    endings.endSessions(current, { keepCurrent: true, browserId }),
  'all sessions': ({ endings, current }, { browser: { browserId } }) =>
    endings.endSessions(current, { keepCurrent: false, browserId }),
  'one authorization withdrawn': ({ endings, current }) => endings.withdrawAuthorization(current, 'hub'),
  'all authorizations withdrawn': ({ endings, current }) => endings.withdrawAuthorizations(current),
  'password changed': changePassword(false),
  'password changed, withdrawing': changePassword(true),
  'second factor switched on': async ({ totps, current, now }, { browser: { browserId } }) => {
    const { secret } = await totps.start(current, brand);
    await totps.activate(
      current,
      {
        code: new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now().getTime() }),
        browserId,
      },
      brand,
    );
  },
  recovery: recover(false),
  'recovery, withdrawing': recover(true),
  'identifier unbound': ({ identifiers, current }) =>
    identifiers.removeIdentifier({ ...current, proofs: [EMAIL] }, { kind: 'phone', wait: false, brand }),
  'change of an identifier undone': async ({ undo }, { identifiers: [old] }, db) => {
    if (!old) throw new Error('the account has an identifier');
    const { token } = await noteChange(db, { old, waits: true, brand: brand.id });
    await undo.undo(token, brand);
  },
  'account disabled': ({ statuses }, { id }) => statuses.disable(id, { reason: 'lost', endLinks: false }),
  'the person leaves': ({ leavings, current }) => leavings.leave(current, brand),
  'the account is deleted': ({ leavings }, { id }) => leavings.deleteNow(id),
  'account disabled, with its links': ({ statuses }, { id }) =>
    statuses.disable(id, { reason: 'lost', endLinks: true }),
  'client disabled': (_services, _account, db) => switchClient(db, 'lamp', true),
  'an app signs the browser out': (_services, _account, db) => {
    const { adapter, inUnit } = createStore(db);
    return inUnit(async () => {
      await adapter('Session').find('this');
      await adapter('Session').destroy('this');
    });
  },
  'a token family ends': (_services, _account, db) => {
    const { adapter, inUnit } = createStore(db);
    return inUnit(() => adapter('Grant').destroy('lamp'));
  },
};

describeOnDatabases('what ends what', (connection) => {
  let db: Kysely<Database>;
  beforeAll(() => {
    db = connection.db;
  });
  beforeEach(async () => {
    for (const table of [
      'signal_stream',
      'account',
      'client',
      'rate_limit',
      'backchannel_logout',
      'ticket',
      'verification_code',
    ] as const)
      await db.deleteFrom(table).execute();
  });

  test.each(rows)('%s', async (event, ...cells) => {
    const account = await createAccountToEnd(db);
    const { id, browser } = account;
    await insertStream(db, { id: 'lamp', brand: 'aurelia', client_id: 'lamp' });
    const read = () => readAccountToEnd(db, id, browser.browserId);
    const before = await read();
    await acts[event]?.(await createServices(db, account), account, db);
    const after = await read();

    const gone = [
      goneOf(before.sessions, after.sessions),
      goneOf(before.bound, after.bound),
      goneOf(before.links, after.links),
      goneOf(before.consents, after.consents),
      goneOf(before.browsers, after.browsers),
      goneOf(before.codes, after.codes),
      before.epoch === after.epoch ? '' : 'all',
    ];
    const told = (await listSignals(db, 'lamp')).map((signal) => signal.event).join(' ');
    expect([...gone, after.logouts.toSorted().join(' '), told]).toEqual(cells);
    // What was known of an account goes with it.
    const kept =
      event === 'the account is deleted' ? [] : before.links.filter((link) => !after.links.includes(link));
    expect(after.endedLinks.toSorted()).toEqual(kept.toSorted());
    // Grants delete their tokens by cascade, and only grants do; a ticket ends together with the codes of its identifier.
    expect(after.accessTokens.toSorted()).toEqual([...after.bound, ...after.links].toSorted());
    expect(after.refreshTokens.toSorted()).toEqual(after.links.toSorted());
    expect(after.tickets.toSorted()).toEqual(after.codes.toSorted());
  });

  test('every event of the table has a test, and every row ends something', () => {
    expect(rows.map(([event]) => event).toSorted()).toEqual(Object.keys(acts).toSorted());
    for (const [event, ...cells] of rows) expect([event, cells.join('')]).not.toEqual([event, '']);
  });

  test('a row that ends links says why', () => {
    for (const [name, row] of Object.entries<Ending>(ends)) {
      const endsLinks = row.grants === 'one' || row.grants === 'all';
      expect(row.reason !== undefined, name).toBe(endsLinks);
    }
  });

  test('an ending locks the account, its proofs, its sessions and its grants in this order', async () => {
    const { id, identifiers } = await createAccountToEnd(db);
    const touched: string[] = [];
    const note = (node: OperationNode) => {
      const [, table = ''] =
        /"identifier":\{"kind":"IdentifierNode","name":"(\w+)"/.exec(JSON.stringify(node)) ?? [];
      const verb = RawNode.is(node)
        ? node.sqlFragments[0]?.trim().split(' ')[0]
        : node.kind.replace('QueryNode', '').toLowerCase();
      touched.push(`${verb} ${table}`);
    };
    await db
      .withPlugin({
        transformQuery: ({ node }) => {
          note(node);
          return node;
        },
        transformResult: async ({ result }) => result,
      })
      .transaction()
      .execute((trx) =>
        end(
          trx,
          { ...ends.passwordRecovered, ...ends.allGrantsWithdrawn },
          {
            accountId: id,
            browserHash: undefined,
            identifiers: identifiers.map(({ value }) => value),
          },
        ),
      );
    expect([...new Set(touched)]).toEqual([
      'update account',
      'delete trusted_browser',
      'delete verification_code',
      'delete ticket',
      'delete spent_ticket',
      'delete device_account',
      'select session',
      'insert signal',
      'delete authorization_grant',
      'delete remembered_consent',
      'delete signal',
      'insert ended_link',
      'insert backchannel_logout',
      'delete session',
    ]);
  });

  test('ending without a value that the row refers to does not compile', () => {
    type Subject<Row extends keyof typeof ends> = Parameters<typeof end<(typeof ends)[Row]>>[2];
    expectTypeOf<{ accountId: string }>().toExtend<Subject<'allGrantsWithdrawn'>>();
    expectTypeOf<{ accountId: string }>().not.toExtend<Subject<'sessionEnded'>>();
    expectTypeOf<{ accountId: string }>().not.toExtend<Subject<'grantWithdrawn'>>();
    expectTypeOf<{ accountId: string; sessionUid: string }>().not.toExtend<Subject<'passwordChanged'>>();
  });
});
