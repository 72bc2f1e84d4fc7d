import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { noteOutage } from '../db/outage.ts';
import { createAuthorizationCodeAdapter } from './models/authorization-code.adapter.ts';
import { createClientAdapter } from './models/client.adapter.ts';
import { createClientCredentialsAdapter } from './models/client-credentials.adapter.ts';
import { createDeviceCodeAdapter } from './models/device-code.adapter.ts';
import { createGrantAdapter } from './models/grant.adapter.ts';
import { createInteractionAdapter } from './models/interaction.adapter.ts';
import type { AdapterContext, ModelAdapter } from './models/model-adapter.ts';
import { createOtherAdapter } from './models/other.adapter.ts';
import { createPushedRequestAdapter } from './models/pushed-request.adapter.ts';
import { createReplayDetectionAdapter } from './models/replay-detection.adapter.ts';
import { createSessionAdapter } from './models/session.adapter.ts';
import { createAccessTokenAdapter } from './models/token.adapter.ts';
import { createRefreshTokenAdapter } from './refresh/refresh-token.adapter.ts';
import { toDatabaseTime, toEngineTime } from './seam/engine-time.ts';
import { createUnitOfWork, currentUnit, flush, runInUnit } from './storage/unit.ts';

/** For models that the engine stores without an end; none of those in use does. */
const DEFAULT_LIFETIME_SECONDS = 24 * 3600;

const createModelAdapter = (context: AdapterContext, model: string): ModelAdapter => {
  switch (model) {
    case 'Client':
      return createClientAdapter(context);
    case 'Session':
      return createSessionAdapter(context);
    case 'Interaction':
      return createInteractionAdapter(context);
    case 'Grant':
      return createGrantAdapter(context);
    case 'AuthorizationCode':
      return createAuthorizationCodeAdapter(context);
    case 'AccessToken':
      return createAccessTokenAdapter(context);
    case 'RefreshToken':
      return createRefreshTokenAdapter(context);
    case 'ClientCredentials':
      return createClientCredentialsAdapter(context);
    case 'DeviceCode':
      return createDeviceCodeAdapter(context);
    case 'PushedAuthorizationRequest':
      return createPushedRequestAdapter(context);
    case 'ReplayDetection':
      return createReplayDetectionAdapter(context);
    default:
      return createOtherAdapter(context, model);
  }
};

/**
 * The engine's storage for one brand. Inside a unit of work writes queue; a write outside of one is a
 * unit of its own. An outage of the database is noted on the unit. The engine has its times by the clock of
 * this process, the models have them by the database's.
 */
export const createAdapterFactory =
  (context: AdapterContext) =>
  (model: string): Adapter => {
    const adapter = createModelAdapter(context, model);

    const note = (error: unknown): never => {
      // A statement that several requests share runs under the watch of one of them.
      noteOutage(error);
      throw error;
    };
    const finding = (work: () => Promise<AdapterPayload | undefined>) => work().then(toEngineTime, note);
    const writing = async (work: () => Promise<unknown>): Promise<undefined> => {
      if (currentUnit()) {
        await work().catch(note);
        return undefined;
      }
      const unit = createUnitOfWork(() => ({ userAgent: '', clientHints: null, address: '', locale: '' }));
      await runInUnit(unit, work);
      const outcome = await flush(context.db, unit);
      if (outcome === 'spent' || outcome === 'gone') throw new errors.InvalidGrant(`${model} is ${outcome}`);
      return undefined;
    };
    const missing = (verb: string) => (): Promise<never> =>
      Promise.reject(new Error(`${model} has no ${verb}`));

    return {
      find: (id) => finding(() => adapter.find(id)),
      findByUid: (uid) => finding(() => (adapter.findByUid ?? missing('uid'))(uid)),
      findByUserCode: (userCode) => finding(() => (adapter.findByUserCode ?? missing('user code'))(userCode)),
      upsert: (id, payload, expiresIn) =>
        writing(() =>
          (adapter.upsert ?? missing('upsert'))(
            id,
            toDatabaseTime(payload),
            expiresIn ?? DEFAULT_LIFETIME_SECONDS,
          ),
        ),
      consume: (id) => writing(() => (adapter.consume ?? missing('consume'))(id)),
      destroy: (id) => writing(() => (adapter.destroy ?? missing('destroy'))(id)),
      revokeByGrantId: (grantId) => writing(() => (adapter.revokeByGrantId ?? missing('grant'))(grantId)),
    };
  };
