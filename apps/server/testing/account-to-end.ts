import type { Kysely } from 'kysely';
import type { Database } from '../src/ground/db/database.ts';
import { hashToken } from '../src/ground/opaque-token.ts';
import { insertIdentifier, listAccounts } from '../src/person/account/account.repository.ts';
import { createTestIdentity } from './identity.ts';

export const EMAIL = 'ada@example.com';
const PHONE = '+8613800138000';
const LATER = new Date('2100-01-01T00:00:00Z');
const request = { user_agent: '', address: '', locale: 'en' } as const;

const insertClients = async (db: Kysely<Database>) => {
  const metadata = JSON.stringify({ backchannel_logout_uri: 'https://app.example/logout' });
  await db
    .insertInto('client')
    .values(['lamp', 'hub'].map((id) => ({ id, brand: null, metadata })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

const insertSession = async (db: Kysely<Database>, accountId: string, uid: string, brand: string) => {
  const payload = JSON.stringify({ accountId, uid, authorizations: { lamp: { sid: uid } } });
  await db
    .insertInto('session')
    .values({
      brand,
      uid,
      id_hash: hashToken(uid),
      account_id: accountId,
      payload,
      ...request,
      expires_at: LATER,
    })
    .execute();
};

/** A grant with an access token; a link also has a refresh token. */
const insertGrant = async (
  db: Kysely<Database>,
  owner: { account_id: string; brand: string; client_id: string },
  { id, session, link = false }: { id: string; session: string; link?: boolean },
) => {
  const rest = { payload: '{}', expires_at: LATER };
  await db
    .insertInto('authorization_grant')
    .values({ ...owner, ...rest, ...request, id, session_uid: session, scope: '', has_refresh_token: link })
    .execute();
  for (const table of link ? (['access_token', 'refresh_token'] as const) : (['access_token'] as const))
    await db
      .insertInto(table)
      .values({ ...owner, ...rest, id_hash: id, grant_id: id })
      .execute();
};

const insertProofs = async (db: Kysely<Database>, identifier: string, browserHash: string) => {
  const row = { purpose: 'login', identifier, device_hash: browserHash, created_at: new Date(0) } as const;
  await db
    .insertInto('verification_code')
    .values({ ...row, code_hash: '', tries: 0, expires_at: LATER })
    .execute();
  await db
    .insertInto('ticket')
    .values({ ...row, id_hash: identifier, expires_at: LATER })
    .execute();
};

/**
 * An account with everything that an event can end. It has two sessions, `this` and `other`, of two brands; in each
 * session a grant without a refresh token, named like the session; the links `lamp` and `hub`, named like their
 * clients, with remembered consents; two browsers that remember the account; a code and a ticket for its e-mail and
 * for its phone.
 */
export const createAccountToEnd = async (db: Kysely<Database>) => {
  const world = createTestIdentity(db);
  const { id } = await world.signUp(EMAIL);
  world.pass(60);
  const phone = { kind: 'phone', value: PHONE, display: PHONE, account_id: id } as const;
  await insertIdentifier(db, { ...phone, verified_at: world.clock.at });
  await insertClients(db);
  const [here, elsewhere] = [
    { account_id: id, brand: 'aurelia' },
    { account_id: id, brand: 'lumora' },
  ];
  await insertSession(db, id, 'this', here.brand);
  await insertSession(db, id, 'other', elsewhere.brand);
  await insertGrant(db, { ...here, client_id: 'lamp' }, { id: 'this', session: 'this' });
  await insertGrant(db, { ...elsewhere, client_id: 'lamp' }, { id: 'other', session: 'other' });
  await insertGrant(db, { ...here, client_id: 'lamp' }, { id: 'lamp', session: 'this', link: true });
  await insertGrant(db, { ...elsewhere, client_id: 'hub' }, { id: 'hub', session: 'other', link: true });
  await db
    .insertInto('remembered_consent')
    .values([
      { ...here, client_id: 'lamp', scope: '' },
      { ...elsewhere, client_id: 'hub', scope: '' },
    ])
    .execute();
  const browser = world.browser();
  const browserHash = hashToken(browser.browserId);
  await db
    .insertInto('device_account')
    .values(
      [browserHash, 'other'].map((device_hash) => ({
        device_hash,
        account_id: id,
        last_used_at: world.clock.at,
        kind: null,
        value: null,
        display: null,
      })),
    )
    .execute();
  for (const identifier of [EMAIL, PHONE]) await insertProofs(db, identifier, browserHash);
  const [record] = await listAccounts(db, [id]);
  if (!record) throw new Error('the account was made just now');
  return { world, id, browser, identifiers: record.identifiers };
};

/** Names the rows that the account still has; `createAccountToEnd` gives the names. */
export const readAccountToEnd = async (db: Kysely<Database>, id: string, browserId: string) => {
  const ofAccount = async (table: 'access_token' | 'refresh_token') => {
    const rows = await db.selectFrom(table).select('grant_id').where('account_id', '=', id).execute();
    return rows.map(({ grant_id }) => grant_id);
  };
  const sessions = await db.selectFrom('session').select('uid').where('account_id', '=', id).execute();
  const grants = await db
    .selectFrom('authorization_grant')
    .select(['id', 'has_refresh_token as isLink'])
    .where('account_id', '=', id)
    .execute();
  const consents = await db
    .selectFrom('remembered_consent')
    .select('client_id')
    .where('account_id', '=', id)
    .execute();
  const browsers = await db
    .selectFrom('device_account')
    .select('device_hash')
    .where('account_id', '=', id)
    .execute();
  const codes = await db
    .selectFrom('verification_code')
    .select('identifier')
    .where('purpose', '=', 'login')
    .execute();
  const tickets = await db.selectFrom('ticket').select('identifier').execute();
  const account = await db
    .selectFrom('account')
    .select('session_epoch')
    .where('id', '=', id)
    .executeTakeFirst();
  const logouts = await db
    .selectFrom('backchannel_logout')
    .select(['brand', 'sid'])
    .where('account_id', '=', id)
    .execute();
  const ended = await db.selectFrom('ended_link').select('id').where('account_id', '=', id).execute();
  const nameOf = (identifier: string) => (identifier === EMAIL ? 'email' : 'phone');
  return {
    sessions: sessions.map(({ uid }) => uid),
    bound: grants.filter(({ isLink }) => !isLink).map((grant) => grant.id),
    links: grants.filter(({ isLink }) => isLink).map((grant) => grant.id),
    accessTokens: await ofAccount('access_token'),
    refreshTokens: await ofAccount('refresh_token'),
    consents: consents.map(({ client_id }) => client_id),
    browsers: browsers.map(({ device_hash }) => (device_hash === hashToken(browserId) ? 'this' : 'other')),
    codes: codes.map(({ identifier }) => nameOf(identifier)),
    tickets: tickets.map(({ identifier }) => nameOf(identifier)),
    epoch: account?.session_epoch,
    endedLinks: ended.map((link) => link.id),
    logouts: logouts.map(({ sid }) => sid),
  };
};
