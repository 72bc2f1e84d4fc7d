import type { Client } from '../../../clients/client/client.service.ts';
import { toEngineClient } from '../client/engine-metadata.ts';
import { beginsApproval, bringClient } from '../request/client-documents.ts';
import { engineNowSeconds } from '../seam/engine-time.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from './model-adapter.ts';

/**
 * For so long a key is good that a client took out of its `jwks_uri`, if its host answers: the engine keeps the keys of a client with
 * what it makes of these properties, and asks the host again only for a signature that no kept key made.
 */
const KEYS_SECONDS = 600;

const periodOf = ({ metadata }: Client): number | undefined =>
  metadata.jwks_uri === undefined ? undefined : Math.floor(engineNowSeconds() / KEYS_SECONDS);

export const createClientAdapter = ({ clients, documents, brand, origin }: AdapterContext): ModelAdapter => {
  /** Every request of a client asks for it, and the same object comes until the client changes, or its keys are due. */
  const made = new WeakMap<Client, { period: number | undefined; payload: AdapterPayload }>();
  const make = (client: Client): AdapterPayload => {
    const period = periodOf(client);
    const known = made.get(client);
    if (known && known.period === period) return known.payload;
    const taken = toEngineClient(client, origin);
    const payload = period === undefined ? taken : { ...taken, keys_period: period };
    made.set(client, { period, payload });
    return payload;
  };
  return {
    find: async (id, { request, unit }) => {
      const begins = beginsApproval(request);
      if (begins && documents) await bringClient(documents, id, unit.facts.address);
      const client = await clients.findClient(id, brand);
      if (begins && client?.source === 'document' && !documents?.takes(id)) return undefined;
      return client && make(client);
    },
  };
};
