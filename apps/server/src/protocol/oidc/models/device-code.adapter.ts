import { hashToken } from '../../../ground/opaque-token.ts';
import { createDeviceCodes, type StoredDeviceCode } from '../device/device-codes.ts';
import type { EngineRequest } from '../seam/engine-request.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from './model-adapter.ts';

/**
 * How a device code is called where the device itself does not show it: by the hash that is stored. That is no
 * device code at the token endpoint, so that who reads the database has none.
 */
const HASH_PREFIX = 'hash:';
const idHashOf = (id: string, { route }: EngineRequest): string =>
  id.startsWith(HASH_PREFIX) && route !== 'token' ? id.slice(HASH_PREFIX.length) : hashToken(id);

const toPayload = (found: StoredDeviceCode | undefined, id?: string): AdapterPayload | undefined =>
  found && { ...found.payload, jti: id ?? `${HASH_PREFIX}${found.idHash}` };

/** The storage of device codes: a device polls at the token endpoint, a person is shown the code everywhere else. */
export const createDeviceCodeAdapter = (context: AdapterContext): ModelAdapter => {
  const codes = createDeviceCodes(context);
  return {
    find: async (id, { request }) => {
      const idHash = idHashOf(id, request);
      const { route, client } = request;
      const isPoll = route === 'token' && client !== undefined;
      return toPayload(isPoll ? await codes.poll(idHash, client.clientId) : await codes.show(idHash), id);
    },

    /** Nobody looks a user code up without being signed in. */
    findByUserCode: async (userCode, { unit, request: { accountId } }) =>
      accountId
        ? toPayload(await codes.showByUserCode(userCode, { accountId, address: unit.facts.address }))
        : undefined,

    upsert: async (id, payload, _expiresIn, { unit, request }) => {
      const { route, client } = request;
      const code = { idHash: idHashOf(id, request), payload, client };
      if (route === 'device_authorization') return codes.ask(unit, code);
      // Who begins to answer and walks away leaves the code as it was; so does whatever else went wrong.
      if (payload.accountId || payload.error === 'access_denied') codes.decide(unit, code);
    },

    consume: async (id, { unit, request }) => codes.spend(unit, idHashOf(id, request)),

    revokeByGrantId: async (grantId, { unit }) => codes.revoke(unit, grantId),
  };
};
