import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { noteOutage } from '../../ground/db/outage.ts';
import { createAuthorizationCodeAdapter } from './models/authorization-code.adapter.ts';
import { createClientAdapter } from './models/client.adapter.ts';
import { createClientCredentialsAdapter } from './models/client-credentials.adapter.ts';
import { createDeviceCodeAdapter } from './models/device-code.adapter.ts';
import { createGrantAdapter } from './models/grant.adapter.ts';
import { createInteractionAdapter } from './models/interaction.adapter.ts';
import type { AdapterContext, Call, ModelAdapter } from './models/model-adapter.ts';
import { createPushedRequestAdapter } from './models/pushed-request.adapter.ts';
import { createReplayDetectionAdapter } from './models/replay-detection.adapter.ts';
import { createSessionAdapter } from './models/session.adapter.ts';
import { createAccessTokenAdapter } from './models/token.adapter.ts';
import { createRefreshTokenAdapter } from './refresh/refresh-token.adapter.ts';
import { currentRequest } from './seam/engine-request.ts';
import { toDatabaseTime, toEngineTime } from './seam/engine-time.ts';
import { flush } from './storage/flush.ts';
import { createUnitOfWork, currentUnit, runInUnit } from './storage/unit.ts';

/** The storage of each model, by the engine's name. */
const models = new Map<string, (context: AdapterContext) => ModelAdapter>([
  ['Client', createClientAdapter],
  ['Session', createSessionAdapter],
  ['Interaction', createInteractionAdapter],
  ['Grant', createGrantAdapter],
  ['AuthorizationCode', createAuthorizationCodeAdapter],
  ['AccessToken', createAccessTokenAdapter],
  ['RefreshToken', createRefreshTokenAdapter],
  ['ClientCredentials', createClientCredentialsAdapter],
  ['DeviceCode', createDeviceCodeAdapter],
  ['PushedAuthorizationRequest', createPushedRequestAdapter],
  ['ReplayDetection', createReplayDetectionAdapter],
]);

const createOwnUnit = () =>
  createUnitOfWork(() => ({ userAgent: '', clientHints: null, address: '', locale: '' }));

/**
 * Creates the engine's storage for one brand. Inside a unit of work writes queue; a write outside of one is a unit of its
 * own. An outage of the database is noted on the unit. The engine's times are by the clock of this process, those of
 * the models by the clock of the database.
 * @throws Error for a model that is stored nowhere.
 */
export const createAdapterFactory =
  (context: AdapterContext) =>
  (model: string): Adapter => {
    const adapter = models.get(model)?.(context);
    if (!adapter) throw new Error(`${model} is stored nowhere`);

    const note = (error: unknown): never => {
      // A look-up that several requests share fails under the watch of one; here each request notes it.
      noteOutage(error);
      throw error;
    };
    const finding = (work: (call: Call) => Promise<AdapterPayload | undefined>) =>
      work({ unit: currentUnit() ?? createOwnUnit(), request: currentRequest() }).then(toEngineTime, note);
    const writing = async (work: (call: Call) => Promise<unknown>): Promise<undefined> => {
      const request = currentRequest();
      const current = currentUnit();
      if (current) {
        await work({ unit: current, request }).catch(note);
        return undefined;
      }
      const unit = createOwnUnit();
      await runInUnit(unit, () => work({ unit, request }));
      const outcome = await flush(context.db, unit);
      if (outcome === 'spent' || outcome === 'gone') throw new errors.InvalidGrant(`${model} is ${outcome}`);
      return undefined;
    };
    const missing = (verb: string) => (): Promise<never> =>
      Promise.reject(new Error(`${model} has no ${verb}`));

    return {
      find: (id) => finding((call) => adapter.find(id, call)),
      findByUid: (uid) => finding((call) => (adapter.findByUid ?? missing('uid'))(uid, call)),
      findByUserCode: (userCode) =>
        finding((call) => (adapter.findByUserCode ?? missing('user code'))(userCode, call)),
      upsert: (id, payload, expiresIn) =>
        writing(async (call) => {
          if (expiresIn === undefined) throw new Error(`${model} would be stored without an end`);
          await (adapter.upsert ?? missing('upsert'))(id, toDatabaseTime(payload), expiresIn, call);
        }),
      consume: (id) => writing((call) => (adapter.consume ?? missing('consume'))(id, call)),
      destroy: (id) => writing((call) => (adapter.destroy ?? missing('destroy'))(id, call)),
      revokeByGrantId: (grantId) =>
        writing((call) => (adapter.revokeByGrantId ?? missing('grant'))(grantId, call)),
    };
  };
