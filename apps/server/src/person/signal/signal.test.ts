import type { ActivityKind } from '@candela/contract';
import { activityKinds } from '@candela/contract/rules/activity-kinds';
import type { Kysely } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { insertStream, listSignals } from '../../../testing/signal-streams.ts';
import type { Database } from '../../ground/db/database.ts';
import { activitySignals, type ToldByCaller } from '../activity/activity-signals.ts';
import { noteActivity } from '../activity/note-activity.ts';
import { tell } from './tell.ts';
import {
  claimsChange,
  credentialChange,
  identifierChanged,
  passkeyChange,
  resumed,
  suspended,
  type Told,
} from './told.ts';

const LATER = new Date('2100-01-01T00:00:00Z');

const insertAccount = (db: Kysely<Database>, id: string) =>
  db
    .insertInto('account')
    .values({
      id,
      nickname: id,
      locale: 'en',
      status: 'active',
      created_at: new Date(),
      updated_at: new Date(),
    })
    .execute();

/** Ada has approved `hub` at one brand, with her e-mail and profile, and `lamp` without. */
const grants = [
  { client_id: 'hub', scope: 'openid email profile', has_refresh_token: true, expires_at: LATER },
  { client_id: 'lamp', scope: 'openid phones', has_refresh_token: false, expires_at: LATER },
  { client_id: 'past', scope: 'openid', has_refresh_token: true, expires_at: new Date(0) },
].map((grant) => ({
  ...grant,
  id: grant.client_id,
  brand: 'aurelia',
  account_id: 'ada',
  payload: '{}',
  user_agent: '',
  address: '',
  locale: 'en' as const,
}));

describeOnDatabases('what happens to an account', (connection) => {
  let db: Kysely<Database>;
  beforeAll(() => {
    db = connection.db;
  });
  beforeEach(async () => {
    for (const table of ['signal_stream', 'account', 'client'] as const) await db.deleteFrom(table).execute();
    await insertAccount(db, 'ada');
    await insertAccount(db, 'bob');
    await db
      .insertInto('client')
      .values(['hub', 'lamp', 'past', 'own'].map((id) => ({ id, metadata: '{}', first_party: id === 'own' })))
      .execute();
    await db.insertInto('authorization_grant').values(grants).execute();
  });

  const told = async (stream: string) => (await listSignals(db, stream)).map(({ event }) => event);
  const change = credentialChange('password', 'update');

  test('is told to apps with a live approval at the brand of their stream, and to the brands’ own', async () => {
    const streams = [
      ...['hub', 'lamp', 'past', 'own'].map((client_id) => ({ id: client_id, brand: 'aurelia', client_id })),
      ...['hub', 'own'].map((client_id) => ({ id: `${client_id}-2`, brand: 'lumora', client_id })),
    ];
    for (const stream of streams) await insertStream(db, stream);
    await tell(db, 'ada', [change]);
    await tell(db, 'bob', [change]);
    const counts = await Promise.all(streams.map(async ({ id }) => [id, (await told(id)).length]));
    expect(counts).toEqual([
      ['hub', 1],
      ['lamp', 1],
      ['past', 0],
      ['own', 2],
      ['hub-2', 0],
      ['own-2', 2],
    ]);
    const [signal] = await listSignals(db, 'hub');
    expect(signal).toEqual({
      event: 'credential-change',
      account_id: 'ada',
      sid: null,
      payload: {
        credential_type: 'password',
        change_type: 'update',
        initiating_entity: 'user',
        event_timestamp: expect.any(Number),
      },
    });
    const now = Date.now() / 1000;
    expect(Math.abs(now - Number(signal?.payload.event_timestamp))).toBeLessThan(60);
  });

  test('waits in a paused stream, and is not told to one that is disabled or did not ask', async () => {
    const stream = (client_id: string) => ({ id: client_id, brand: 'aurelia', client_id });
    await insertStream(db, { ...stream('hub'), status: 'paused' });
    await insertStream(db, { ...stream('lamp'), status: 'disabled' });
    await insertStream(db, { ...stream('own'), events_requested: ['account-disabled'] });
    await tell(db, 'ada', [change]);
    expect([await told('hub'), await told('lamp'), await told('own')]).toEqual([
      ['credential-change'],
      [],
      [],
    ]);
  });

  test('is told of the accounts that a stream names, or of all but those that it left out', async () => {
    await insertStream(db, { id: 'own', brand: 'aurelia', client_id: 'own', subjects: 'named' });
    await insertStream(db, { id: 'own-2', brand: 'lumora', client_id: 'own' });
    const subject = { account_id: 'ada', included: true };
    await db
      .insertInto('signal_subject')
      .values([
        { ...subject, stream_id: 'own' },
        { ...subject, stream_id: 'own-2', included: false },
      ])
      .execute();
    for (const id of ['ada', 'bob']) await tell(db, id, [change]);
    const accounts = async (stream: string) => (await listSignals(db, stream)).map((one) => one.account_id);
    expect([await accounts('own'), await accounts('own-2')]).toEqual([['ada'], ['bob']]);
  });

  test('gives values away to those alone who have their scope', async () => {
    for (const client_id of ['hub', 'lamp', 'own'])
      await insertStream(db, { id: client_id, brand: 'aurelia', client_id });
    const picture = { ...claimsChange({}), openedAt: { aurelia: { claims: { picture: 'https://a' } } } };
    await tell(db, 'ada', [
      identifierChanged({ kind: 'email', value: 'ada@new.example' }),
      identifierChanged({ kind: 'phone', value: '+8613800138000' }),
      claimsChange({ nickname: 'Ada' }),
      picture,
    ]);
    const payloads = async (stream: string) => (await listSignals(db, stream)).map(({ payload }) => payload);
    const stamped = { initiating_entity: 'user', event_timestamp: expect.any(Number) };
    expect(await payloads('hub')).toEqual([
      { 'new-value': 'ada@new.example' },
      {},
      { ...stamped, claims: { nickname: 'Ada' } },
      { ...stamped, claims: { picture: 'https://a' } },
    ]);
    expect(await payloads('lamp')).toEqual([{}, {}]);
    expect(await payloads('own')).toEqual([{}, {}]);
  });

  test('tells apps of their own links alone, and the brand’s own of all', async () => {
    for (const client_id of ['hub', 'lamp', 'own'])
      await insertStream(db, { id: client_id, brand: 'aurelia', client_id });
    await insertStream(db, { id: 'own-2', brand: 'lumora', client_id: 'own' });
    await tell(db, 'ada', [{ event: 'link-suspended', members: {} }], 'admin');
    expect(await listSignals(db, 'hub')).toMatchObject([
      { event: 'link-suspended', payload: { scope: 'openid email profile', initiating_entity: 'admin' } },
    ]);
    expect([await told('lamp'), await told('own'), await told('own-2')]).toEqual([
      [],
      ['link-suspended'],
      [],
    ]);
  });

  test('an account is told to be disabled once, and enabled once, whatever suspends it', async () => {
    await insertStream(db, { id: 'hub', brand: 'aurelia', client_id: 'hub' });
    const set = async (status: 'active' | 'disabled', leaving: boolean, tells: readonly Told[]) => {
      const leaving_at = leaving ? LATER : null;
      await db.updateTable('account').set({ status, leaving_at }).where('id', '=', 'ada').execute();
      await tell(db, 'ada', tells);
    };
    await set('active', true, suspended);
    await set('disabled', true, suspended);
    await set('disabled', false, resumed);
    await set('active', false, resumed);
    expect(await told('hub')).toEqual([
      'account-disabled',
      'link-suspended',
      'account-enabled',
      'link-resumed',
    ]);
  });

  test('each kind that says by itself what it tells, tells that', async () => {
    await insertStream(db, { id: 'hub', brand: 'aurelia', client_id: 'hub' });
    const tells: Partial<Record<ActivityKind, string>> = {
      password_changed: 'password update',
      password_recovered: 'recovery-activated, password update',
      recovery_wait_started: 'recovery-activated',
      totp_added: 'app create',
      totp_removed: 'app delete',
    };
    const isFixed = (kind: ActivityKind): kind is Exclude<ActivityKind, ToldByCaller> =>
      activitySignals[kind] !== 'caller';
    // What suspends an account is told by its state.
    const kinds = activityKinds.filter((kind) => !/^(account|deletion)_/.test(kind));
    for (const kind of kinds.filter(isFixed)) {
      await db.deleteFrom('signal').execute();
      await noteActivity(db, { accountId: 'ada', kind });
      const said = (await listSignals(db, 'hub')).map(({ event, payload }) =>
        event === 'credential-change' ? `${payload.credential_type} ${payload.change_type}` : event,
      );
      expect(said.join(', '), kind).toBe(tells[kind] ?? '');
    }
  });
});

test.each([
  ['internal hybrid', 'fido2-platform'],
  ['', 'fido2-platform'],
  ['usb nfc', 'fido2-roaming'],
  ['usb internal', 'fido2-platform'],
])('a passkey that is reached by “%s” is %s', (transports, type) => {
  expect(passkeyChange({ transports, aaguid: 'a' }, 'create').members).toEqual({
    credential_type: type,
    change_type: 'create',
    fido2_aaguid: 'a',
  });
});
