import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type AdapterPayload, errors } from 'oidc-provider';
import type { Database } from '../../db/database.ts';
import {
  findDeviceCode,
  findDeviceCodeByUserCode,
  notePoll,
  type PollPace,
} from '../../oidc-model/device-code.repository.ts';
import type { OidcModelRow } from '../../oidc-model/oidc-model.table.ts';
import { openWithAny, seal } from '../../seal.ts';
import { type EngineClient, policyOf } from '../client/client-policy.ts';
import type { AnonymousLimits } from '../request/anonymous-limits.ts';
import { endIn, toJson, toSeconds } from '../storage/columns.ts';
import { row } from '../storage/row.ts';
import type { UnitOfWork } from '../storage/unit.ts';
import {
  consumeCode,
  decideCode,
  deleteCodesOfGrant,
  insertDeviceCode,
  markGrant,
} from './device-code-writes.repository.ts';
import {
  DEVICE_CODE_SECONDS,
  type Guesser,
  guessUserCode,
  hashUserCode,
  POLL_INTERVAL_SECONDS,
  type UserCodeKeys,
} from './user-code.ts';

const MODEL = 'DeviceCode';

const pace: PollPace = {
  intervalSeconds: POLL_INTERVAL_SECONDS,
  slowDownSeconds: 5,
  toleranceSeconds: 1,
};

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
interface DeviceDecision {
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

const toStored = ({ id_hash, payload, consumed_at }: OidcModelRow): StoredDeviceCode => {
  const { sealedUserCode: _sealed, ...kept } = payload;
  return {
    idHash: id_hash,
    payload: { ...kept, ...(consumed_at && { consumed: toSeconds(consumed_at) }) },
  };
};

/** The code with its user code, for the page that shows it. */
const toShown = (keys: UserCodeKeys, found: OidcModelRow | undefined): StoredDeviceCode | undefined => {
  if (!found) return undefined;
  const { idHash, payload } = toStored(found);
  const userCode = userCodeOf(found, keys);
  return { idHash, payload: { ...payload, ...(userCode && { userCode }) } };
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
  await insertDeviceCode(db, {
    brand,
    idHash,
    clientId,
    userCodeHash: userCode ? hashUserCode(userCodeKeys.hash[0], userCode) : null,
    payload: kept,
    expiresAt: exp + KEPT_SECONDS,
  });
};

export const createDeviceCodes = (options: DeviceCodesOptions): DeviceCodes => {
  const { db, brand, userCodeKeys } = options;
  return {
    ask: (unit, code) => insertCode(options, unit, code),

    poll: async (idHash, clientId) => {
      const found = await notePoll(db, { brand, idHash, clientId }, pace);
      if (found?.polled_too_soon && isPending(found)) throw new errors.SlowDown();
      return found && toStored({ ...found, consumed_at: null });
    },

    show: async (idHash) => toShown(userCodeKeys, await findDeviceCode(db, { brand, idHash })),

    showByUserCode: async (userCode, guesser) => {
      const spellings = [...userCodeKeys.hash.map((key) => hashUserCode(key, userCode)), userCode];
      const find = () => findDeviceCodeByUserCode(db, { brand, userCodes: spellings });
      const shown = toShown(userCodeKeys, await guessUserCode(db, guesser, find));
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
      unit.keep(row.tokensOf(MODEL, grantId), deleteCodesOfGrant, { brand, grantId });
    },
  };
};
