import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type AdapterPayload, errors } from 'oidc-provider';
import type { Database } from '../../../ground/db/database.ts';
import { openWithAny, seal } from '../../../ground/seal.ts';
import {
  findDeviceCode,
  findDeviceCodeByUserCode,
  notePoll,
  type PollPace,
} from '../../../link/oidc-model/device-code.repository.ts';
import type { OidcModelRow } from '../../../link/oidc-model/oidc-model.table.ts';
import { type EngineClient, policyOf } from '../client/client-policy.ts';
import type { AnonymousLimits } from '../request/anonymous-limits.ts';
import { endIn, toJson, toSeconds } from '../storage/columns.ts';
import { markDeviceGrant } from '../storage/link-creation.ts';
import { row } from '../storage/row.ts';
import type { UnitOfWork } from '../storage/unit.ts';
import {
  consumeCode,
  decideCode,
  deleteCodesOfGrant,
  insertDeviceCode,
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

/** A code is kept for this long after its end, so that a late poll gets `expired_token`. */
const KEPT_SECONDS = DEVICE_CODE_SECONDS;

/** Opens the sealed user code of a row. Rows of the release before hold the user code itself. */
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
 * The device codes of one brand (RFC 8628), found by the hash of the code. A device asks for a code and polls. A person
 * sees the code and decides once. The device spends the code once.
 */
export interface DeviceCodes {
  /** Stores a new code. @throws TooManyAnonymousRequests for a public client. */
  ask(
    unit: UnitOfWork,
    code: { idHash: string; payload: AdapterPayload; client: EngineClient | undefined },
  ): Promise<void>;
  /**
   * Records a poll of the code's own client. Answers the code as unspent: `spend` finds out whether it is spent.
   * @throws SlowDown for a device that polls again too soon while nobody has decided (section 3.5).
   */
  poll(idHash: string, clientId: string): Promise<StoredDeviceCode | undefined>;
  /** Finds a code with its user code, for a person to see. */
  show(idHash: string): Promise<StoredDeviceCode | undefined>;
  /** Finds a code by the user code that a person entered; counts a guess. @throws TooManyUserCodes */
  showByUserCode(userCode: string, guesser: Guesser): Promise<StoredDeviceCode | undefined>;
  /** Queues a person's decision. If somebody has decided before, nothing of the unit is written. */
  decide(unit: UnitOfWork, decision: DeviceDecision): void;
  /** Queues the spending of a code. If the code is spent already, nothing of the unit is written. */
  spend(unit: UnitOfWork, idHash: string): void;
  /** Queues the deletion of the codes under a grant. */
  revoke(unit: UnitOfWork, grantId: string): void;
}

const toStored = ({ id_hash, payload, consumed_at }: OidcModelRow): StoredDeviceCode => {
  const { sealedUserCode: _sealed, ...kept } = payload;
  return {
    idHash: id_hash,
    payload: { ...kept, ...(consumed_at && { consumed: toSeconds(consumed_at) }) },
  };
};

/** The code with its user code, for the page that shows the user code. */
const toShown = (keys: UserCodeKeys, found: OidcModelRow | undefined): StoredDeviceCode | undefined => {
  if (!found) return undefined;
  const { idHash, payload } = toStored(found);
  const userCode = userCodeOf(found, keys);
  return { idHash, payload: { ...payload, ...(userCode && { userCode }) } };
};

/** Leaves out of the engine's payload what has a column, or is not kept. */
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
      unit.keep(row.grant(grantId, 'mode'), markDeviceGrant, { brand, grantId, linked });
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
