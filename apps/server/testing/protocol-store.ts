import type { Kysely, KyselyPlugin } from 'kysely';
import { builtInBrands } from '../src/branding/brand/built-in.ts';
import type { ClientService } from '../src/clients/client/client.service.ts';
import type { Database } from '../src/ground/db/database.ts';
import { createAdapterFactory } from '../src/protocol/oidc/adapters.ts';
import type { UserCodeKeys } from '../src/protocol/oidc/device/user-code.ts';
import { createAnonymousLimits } from '../src/protocol/oidc/request/anonymous-limits.ts';
import { type FlushOutcome, flush } from '../src/protocol/oidc/storage/flush.ts';
import { createUnitOfWork, runInUnit, type UnitOfWork } from '../src/protocol/oidc/storage/unit.ts';
import { recordEvents } from './recorded-events.ts';
import { createRegistrations } from './registrations.ts';

export const facts = { userAgent: 'Test/1.0', clientHints: null, address: '192.0.2.1', locale: 'en' };
export const ACCOUNT = 'account-of-the-test';
export const CLIENT = 'app-of-the-test';
export const secretKeys = ['a secret key of the test, long enough'];

export const userCodeKeys: UserCodeKeys = { hash: [Buffer.alloc(32, 3)], seal: [Buffer.alloc(32, 4)] };

/** The time `seconds` from now, in whole seconds. */
export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

/** Counts the statements sent through `db`, and makes their answers fail while `failure` is set. */
export const createProbe = (database: Kysely<Database>) => {
  const probe = { statements: 0, failure: undefined as Error | undefined };
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      probe.statements += 1;
      if (probe.failure) throw probe.failure;
      return result;
    },
  };
  return { probe, db: database.withPlugin(plugin) };
};

export const insertAccount = async (db: Kysely<Database>, id = ACCOUNT): Promise<void> => {
  const at = new Date();
  await db
    .insertInto('account')
    .values({ id, nickname: id, locale: 'en', status: 'active', created_at: at, updated_at: at })
    .execute();
};

export interface StoreOptions {
  brand?: string;
  clients?: ClientService;
}

/** The adapters of one brand, and units of work around them. */
export const createStore = (
  db: Kysely<Database>,
  { brand = 'aurelia', clients = createRegistrations(db, { secretKeys }).clients }: StoreOptions = {},
) => {
  const factory = createAdapterFactory({
    db,
    brand,
    servedBrands: builtInBrands.map(({ id }) => id),
    origin: `http://${brand}.example`,
    clients,
    anonymousLimits: createAnonymousLimits({ db, events: recordEvents() }),
    userCodeKeys,
  });

  /** Runs `work` as one request, and then writes the queued changes. */
  const inUnit = async (
    work: (unit: UnitOfWork) => Promise<unknown>,
    options: { failed?: boolean } = {},
  ): Promise<FlushOutcome> => {
    const unit = createUnitOfWork(() => facts);
    await runInUnit(unit, async () => void (await work(unit)));
    return flush(db, unit, options);
  };

  /** Saves a session of the account, and a grant bound to it. */
  const seed = async ({ session, grant }: { session?: string; grant?: string }) => {
    await inUnit(async (unit) => {
      if (session) await factory('Session').upsert(`${session}-id`, sessionPayload(session), 3600);
      unit.sessionUid = session;
      if (grant) await factory('Grant').upsert(grant, grantPayload(grant), 3600);
    });
  };

  return { adapter: factory, inUnit, seed };
};

export const sessionPayload = (uid: string, id = `${uid}-id`) => ({
  kind: 'Session',
  jti: id,
  uid,
  accountId: ACCOUNT,
  loginTs: 1_700_000_000,
  authorizations: { [CLIENT]: { sid: 'a-sid', grantId: 'a-grant' } },
  iat: inSeconds(0),
  exp: inSeconds(3600),
});

export const grantPayload = (id: string) => ({
  kind: 'Grant',
  jti: id,
  accountId: ACCOUNT,
  clientId: CLIENT,
  openid: { scope: 'openid profile' },
  iat: inSeconds(0),
  exp: inSeconds(3600),
});

export const tokenPayload = (kind: string, id: string, grantId: string) => ({
  kind,
  jti: id,
  accountId: ACCOUNT,
  clientId: CLIENT,
  grantId,
  scope: 'openid',
  iat: inSeconds(0),
  exp: inSeconds(600),
});
