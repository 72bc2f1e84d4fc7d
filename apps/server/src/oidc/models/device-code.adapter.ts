import { randomUUID } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { errors } from 'oidc-provider';
import { type OidcModelRow, oidcModelColumns } from '../../oidc-model/oidc-model.table.ts';
import { hashToken } from '../../opaque-token.ts';
import { openWithAny, seal } from '../../seal.ts';
import { policyOf } from '../client/client-policy.ts';
import {
  DEVICE_CODE_SECONDS,
  guessUserCode,
  hashUserCode,
  POLL_INTERVAL_SECONDS,
  type UserCodeKeys,
} from '../device/user-code.ts';
import type { EngineRequest } from '../seam/engine-request.ts';
import { endIn, isSpentBy, json, markSpent, text, time, toJson, toSeconds } from '../storage/columns.ts';
import { row } from '../storage/row.ts';
import { defineWrite } from '../storage/write.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from './model-adapter.ts';

const MODEL = 'DeviceCode';

/** RFC 8628 section 3.5: what each `slow_down` adds to what a device waits between two polls. */
const SLOW_DOWN_SECONDS = 5;
/** By so much the network may shorten what the device waited. */
const TOLERANCE_SECONDS = 1;
/** A device that asks late is told `expired_token`, for as long again as its code lasted. */
const KEPT_SECONDS = DEVICE_CODE_SECONDS;

/**
 * How a device code is called where the device itself does not show it: by the hash that is stored. It is no
 * device code at the token endpoint, so that who reads the database has none.
 */
const HASH_PREFIX = 'hash:';
const idHashOf = (id: string, { route }: EngineRequest): string =>
  id.startsWith(HASH_PREFIX) && route !== 'token' ? id.slice(HASH_PREFIX.length) : hashToken(id);

/** The code to show, of a row that is being answered; rows of the release before have it as it is. */
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

/** With a mark of the request, by which it finds its own deed again. */
interface Spending extends CodeKey {
  mark: string;
}

interface Decision extends CodeKey {
  accountId: string | null;
  grantId: string | null;
  payload: string;
}

/** Of all who answer for a device the database lets one be first, whatever the others read before. */
const decide = defineWrite<Decision>((db, param) =>
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

/** A link from the start: whoever allowed a device may sign out before it comes for its tokens. */
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

/** The storage of device codes (RFC 8628): one person answers for a device, and it redeems its code once. */
export const createDeviceCodeAdapter = (context: AdapterContext): ModelAdapter => {
  const { db, brand, anonymousLimits, userCodeKeys } = context;
  const toPayload = (
    { route }: EngineRequest,
    found: OidcModelRow | undefined,
    id?: string,
  ): AdapterPayload | undefined => {
    if (!found) return undefined;
    const { sealedUserCode: _sealed, ...payload } = found.payload;
    const userCode = route === 'token' ? undefined : userCodeOf(found, userCodeKeys);
    return {
      ...payload,
      jti: id ?? `${HASH_PREFIX}${found.id_hash}`,
      ...(userCode && { userCode }),
      ...(found.consumed_at && { consumed: toSeconds(found.consumed_at) }),
    };
  };

  /** Notes a poll of the code's own client; parallel ones are told apart by the database. */
  const poll = (idHash: string, clientId: string) => {
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

  const select = () =>
    db
      .selectFrom('oidc_model')
      .select(oidcModelColumns)
      .where('brand', '=', brand)
      .where('model', '=', MODEL);

  return {
    /** @throws SlowDown at the token endpoint, for a device that asks again too soon while nobody has answered. */
    find: async (id, { request }) => {
      const idHash = idHashOf(id, request);
      if (request.route !== 'token' || !request.client) {
        return toPayload(request, await select().where('id_hash', '=', idHash).executeTakeFirst(), id);
      }
      const found = await poll(idHash, request.client.clientId);
      if (found?.polled_too_soon && isPending(found)) throw new errors.SlowDown();
      // Whether it was spent the unit's spend finds out, and what becomes of its tokens then.
      return toPayload(request, found && { ...found, consumed_at: null }, id);
    },

    /** @throws TooManyUserCodes */
    findByUserCode: async (userCode, { unit, request }) => {
      const spellings = [...userCodeKeys.hash.map((key) => hashUserCode(key, userCode)), userCode];
      const find = () => select().where('user_code', 'in', spellings).executeTakeFirst();
      const { accountId } = request;
      if (!accountId) return undefined;
      const found = toPayload(
        request,
        await guessUserCode(db, { accountId, address: unit.facts.address }, find),
      );
      return found && { ...found, userCode };
    },

    upsert: async (id, payload, _expiresIn, { unit, request }) => {
      const { jti: _jti, userCode, inFlight: _inFlight, ...stored } = payload;
      const idHash = idHashOf(id, request);
      const { route, client } = request;
      if (route === 'device_authorization') {
        const sealedUserCode = userCode && seal(userCodeKeys.seal[0], userCode);
        const kept = toJson({ ...stored, sealedUserCode });
        if (client?.clientAuthMethod === 'none')
          await anonymousLimits.require('device-code', unit.facts.address, kept.length);
        await db
          .insertInto('oidc_model')
          .values({
            brand,
            model: MODEL,
            id_hash: idHash,
            client_id: payload.clientId ?? null,
            user_code: userCode ? hashUserCode(userCodeKeys.hash[0], userCode) : null,
            payload: json(kept),
            expires_at: time((payload.exp ?? 0) + KEPT_SECONDS),
          })
          .execute();
        return;
      }
      // Who begins to answer and walks away leaves the code as it was; so does whatever else went wrong.
      if (!payload.accountId && payload.error !== 'access_denied') return;
      const { accountId = null, grantId = null } = payload;
      const values = { brand, idHash, accountId, grantId, payload: toJson(stored) };
      unit.spend(row.token(MODEL, idHash), decide, values);
      if (!grantId) return;
      const linked = policyOf(client).issuesRefreshToken;
      unit.keep(row.grant(grantId, 'mode'), markGrant, { brand, grantId, linked });
    },

    consume: async (id, { unit, request }) => {
      const idHash = idHashOf(id, request);
      unit.spend(row.token(MODEL, idHash, 'spend'), consumeCode, { brand, idHash, mark: randomUUID() });
    },

    revokeByGrantId: async (grantId, { unit }) => {
      if (unit.isEnding(row.grant(grantId))) return;
      unit.keep(row.tokensOf(MODEL, grantId), deleteOfGrant, { brand, grantId });
    },
  };
};
