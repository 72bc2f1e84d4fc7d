import { randomUUID } from 'node:crypto';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { type AdapterPayload, errors } from 'oidc-provider';
import type { Database } from '../../db/database.ts';
import { type OidcModelRow, oidcModelColumns } from '../../oidc-model/oidc-model.table.ts';
import { openWithAny, seal } from '../../seal.ts';
import type { EngineClient } from '../client/client-policy.ts';
import { policyOf } from '../client/client-policy.ts';
import type { AnonymousLimits } from '../request/anonymous-limits.ts';
import { endIn, isSpentBy, json, markSpent, text, time, toJson, toSeconds } from '../storage/columns.ts';
import { row } from '../storage/row.ts';
import type { UnitOfWork } from '../storage/unit.ts';
import { defineWrite } from '../storage/write.ts';
import {
  DEVICE_CODE_SECONDS,
  type Guesser,
  guessUserCode,
  hashUserCode,
  POLL_INTERVAL_SECONDS,
  type UserCodeKeys,
} from './user-code.ts';

const MODEL = 'DeviceCode';

/** RFC 8628 section 3.5: what each `slow_down` adds to what a device waits between two polls. */
const SLOW_DOWN_SECONDS = 5;
/** By so much the network may shorten what the device waited. */
const TOLERANCE_SECONDS = 1;
/** A device that asks late gets `expired_token`, for as long again as its code lasted. */
const KEPT_SECONDS = DEVICE_CODE_SECONDS;

/** The user code that a row holds sealed. The release before sealed none: its rows hold the code itself. */
const userCodeOf = ({ user_code, payload }: OidcModelRow, { seal: keys }: UserCodeKeys) => {
  const { sealedUserCode: sealed } = payload;
  return typeof sealed === 'string' ? openWithAny(keys, sealed) : user_code;
};

const isPending = ({ payload, account_id }: OidcModelRow): boolean =>
  account_id === null &&
  payload.error === undefined &&
  typeof payload.exp === 'number' &&
  payload.exp > endIn(0);

interface CodeKey {
  brand: string;
  idHash: string;
}

/** `mark` is the request's own: by it the request finds later that it was the one that spent the code. */
interface Spending extends CodeKey {
  mark: string;
}

interface Decision extends CodeKey {
  accountId: string | null;
  grantId: string | null;
  payload: string;
}

/** The first answer for a device counts; the database finds it, whatever the others read before. */
const decideCode = defineWrite<Decision>((db, param) =>
  db
    .updateTable('oidc_model')
    .set({
      account_id: text(param('accountId')),
      grant_id: text(param('grantId')),
      payload: sql`${json(param('payload'))}
        || jsonb_strip_nulls(jsonb_build_object('sealedUserCode', oidc_model.payload->'sealedUserCode'))`,
    })
    .where('brand', '=', param('brand'))
    .where('model', '=', MODEL)
    .where('id_hash', '=', param('idHash'))
    .where('account_id', 'is', null)
    .where('consumed_at', 'is', null)
    .where(sql<SqlBool>`not (payload ? 'error')`)
    .returning('id_hash'),
);

interface DeviceGrant {
  brand: string;
  grantId: string;
  linked: boolean;
}

/** Makes the grant a link at once: whoever allowed a device may sign out before it comes for its tokens. */
const markGrant = defineWrite<DeviceGrant>((db, param, guard) =>
  db
    .updateTable('authorization_grant')
    .set({ grant_mode: 'device_code', has_refresh_token: sql`cast(${param('linked')} as boolean)` })
    .where('brand', '=', param('brand'))
    .where('id', '=', param('grantId'))
    .where(guard),
);

/** The grant, where there is one, is locked before its code, in the order in which a withdrawal takes them. */
const consumeCode = defineWrite<Spending>(
  (db, param) =>
    db
      .updateTable('oidc_model')
      .set({ consumed_at: sql`now()`, payload: markSpent(param('mark')) })
      .where('brand', '=', param('brand'))
      .where('model', '=', MODEL)
      .where('id_hash', '=', param('idHash'))
      .where('consumed_at', 'is', null)
      .where((where) =>
        where.or([
          where('grant_id', 'is', null),
          where.exists(
            where
              .selectFrom('authorization_grant as owner')
              .select('owner.id')
              .where('owner.brand', '=', param('brand'))
              .whereRef('owner.id', '=', 'oidc_model.grant_id')
              .forKeyShare(),
          ),
        ]),
      )
      .returning('id_hash'),
  async (db, { brand, idHash, mark }) => {
    const found = await db
      .selectFrom('oidc_model')
      .select(isSpentBy(mark).as('isSpent'))
      .where('brand', '=', brand)
      .where('model', '=', MODEL)
      .where('id_hash', '=', idHash)
      .forShare()
      .executeTakeFirst();
    return found?.isSpent === true;
  },
);

const deleteOfGrant = defineWrite<{ brand: string; grantId: string }>((db, param, guard) =>
  db
    .deleteFrom('oidc_model')
    .where('brand', '=', param('brand'))
    .where('model', '=', MODEL)
    .where('grant_id', '=', param('grantId'))
    .where(guard),
);

export interface DeviceCodesOptions {
  db: Kysely<Database>;
  brand: string;
  anonymousLimits: AnonymousLimits;
  userCodeKeys: UserCodeKeys;
}

/** A device code as it is stored: its payload for the engine, without the id by which it was found. */
export interface StoredDeviceCode {
  idHash: string;
  payload: AdapterPayload;
}

/** A person's answer for a device. */
export interface DeviceDecision {
  idHash: string;
  /** The engine's payload: with an account and a grant, or with the error `access_denied`. */
  payload: AdapterPayload;
  /** The client of the device. */
  client: EngineClient | undefined;
}

/**
 * The device codes of one brand (RFC 8628), found by the hash of the code. A device asks for a code and polls it, a
 * person is shown it and decides once, and the device spends it once.
 */
export interface DeviceCodes {
  /** Stores a code that a device has asked for. @throws TooManyAnonymousRequests for a public client. */
  ask(
    unit: UnitOfWork,
    code: { idHash: string; payload: AdapterPayload; client: EngineClient | undefined },
  ): Promise<void>;
  /**
   * Counts a poll of the code's own client, and finds the code as if it were not spent: the unit's spend finds that out.
   * @throws SlowDown for a device that asks again too soon while nobody has answered (section 3.5).
   */
  poll(idHash: string, clientId: string): Promise<StoredDeviceCode | undefined>;
  /** Finds a code with its user code, for a person to see. */
  show(idHash: string): Promise<StoredDeviceCode | undefined>;
  /** Finds a code by what a person entered, which counts as a guess. @throws TooManyUserCodes */
  showByUserCode(userCode: string, guesser: Guesser): Promise<StoredDeviceCode | undefined>;
  /** Queues a person's answer: nothing of the unit happens where the code was answered before. */
  decide(unit: UnitOfWork, decision: DeviceDecision): void;
  /** Queues the end of a code: nothing of the unit happens where it was spent before. */
  spend(unit: UnitOfWork, idHash: string): void;
  /** Queues the end of the codes under a grant. */
  revoke(unit: UnitOfWork, grantId: string): void;
}

const createLookup = ({ db, brand, userCodeKeys }: DeviceCodesOptions) => {
  const select = () =>
    db
      .selectFrom('oidc_model')
      .select(oidcModelColumns)
      .where('brand', '=', brand)
      .where('model', '=', MODEL);
  const toStored = ({ id_hash, payload, consumed_at }: OidcModelRow): StoredDeviceCode => {
    const { sealedUserCode: _sealed, ...kept } = payload;
    return {
      idHash: id_hash,
      payload: { ...kept, ...(consumed_at && { consumed: toSeconds(consumed_at) }) },
    };
  };
  const toShown = (found: OidcModelRow | undefined): StoredDeviceCode | undefined => {
    if (!found) return undefined;
    const { idHash, payload } = toStored(found);
    const userCode = userCodeOf(found, userCodeKeys);
    return { idHash, payload: { ...payload, ...(userCode && { userCode }) } };
  };
  return { select, toStored, toShown };
};

/** Notes a poll; the database tells parallel polls apart. */
const notePoll = (
  { db, brand }: DeviceCodesOptions,
  { idHash, clientId }: { idHash: string; clientId: string },
): Promise<OidcModelRow | undefined> => {
  const interval = sql<number>`coalesce(poll_interval_seconds, ${POLL_INTERVAL_SECONDS}::integer)`;
  const tooSoon = sql<boolean>`coalesce(
      polled_at > now() - make_interval(secs => ${interval} - ${TOLERANCE_SECONDS}::integer), false)`;
  return db
    .updateTable('oidc_model')
    .set({
      polled_at: sql`now()`,
      polled_too_soon: tooSoon,
      poll_interval_seconds: sql`${interval} + case when ${tooSoon} then ${SLOW_DOWN_SECONDS}::integer else 0 end`,
    })
    .where('brand', '=', brand)
    .where('model', '=', MODEL)
    .where('id_hash', '=', idHash)
    .where('client_id', '=', clientId)
    .returning(oidcModelColumns)
    .executeTakeFirst();
};

/** What the engine puts into a payload and the row has in columns, or does not keep. */
const toKept = ({ jti: _jti, userCode: _userCode, inFlight: _inFlight, ...kept }: AdapterPayload) => kept;

const insertCode = async (
  { db, brand, anonymousLimits, userCodeKeys }: DeviceCodesOptions,
  unit: UnitOfWork,
  { idHash, payload, client }: Parameters<DeviceCodes['ask']>[1],
): Promise<void> => {
  const { userCode, clientId = null, exp = 0 } = payload;
  const sealedUserCode = userCode && seal(userCodeKeys.seal[0], userCode);
  const kept = toJson({ ...toKept(payload), sealedUserCode });
  if (client?.clientAuthMethod === 'none')
    await anonymousLimits.require('device-code', unit.facts.address, kept.length);
  await db
    .insertInto('oidc_model')
    .values({
      brand,
      model: MODEL,
      id_hash: idHash,
      client_id: clientId,
      user_code: userCode ? hashUserCode(userCodeKeys.hash[0], userCode) : null,
      payload: json(kept),
      expires_at: time(exp + KEPT_SECONDS),
    })
    .execute();
};

export const createDeviceCodes = (options: DeviceCodesOptions): DeviceCodes => {
  const { db, brand, userCodeKeys } = options;
  const { select, toStored, toShown } = createLookup(options);
  return {
    ask: (unit, code) => insertCode(options, unit, code),

    poll: async (idHash, clientId) => {
      const found = await notePoll(options, { idHash, clientId });
      if (found?.polled_too_soon && isPending(found)) throw new errors.SlowDown();
      return found && toStored({ ...found, consumed_at: null });
    },

    show: async (idHash) => toShown(await select().where('id_hash', '=', idHash).executeTakeFirst()),

    showByUserCode: async (userCode, guesser) => {
      const spellings = [...userCodeKeys.hash.map((key) => hashUserCode(key, userCode)), userCode];
      const find = () => select().where('user_code', 'in', spellings).executeTakeFirst();
      const shown = toShown(await guessUserCode(db, guesser, find));
      return shown && { ...shown, payload: { ...shown.payload, userCode } };
    },

    decide: (unit, { idHash, payload, client }) => {
      const { accountId = null, grantId = null } = payload;
      const values = { brand, idHash, accountId, grantId, payload: toJson(toKept(payload)) };
      unit.spend(row.token(MODEL, idHash), decideCode, values);
      if (!grantId) return;
      const linked = policyOf(client).issuesRefreshToken;
      unit.keep(row.grant(grantId, 'mode'), markGrant, { brand, grantId, linked });
    },

    spend: (unit, idHash) => {
      unit.spend(row.token(MODEL, idHash, 'spend'), consumeCode, { brand, idHash, mark: randomUUID() });
    },

    revoke: (unit, grantId) => {
      if (unit.isEnding(row.grant(grantId))) return;
      unit.keep(row.tokensOf(MODEL, grantId), deleteOfGrant, { brand, grantId });
    },
  };
};
