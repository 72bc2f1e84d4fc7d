import type { Client } from '../../../clients/client/client.service.ts';
import { toEngineClient } from '../client/engine-metadata.ts';
import { beginsApproval, bringClient } from '../request/client-documents.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from './model-adapter.ts';

export const createClientAdapter = ({ clients, documents, brand, origin }: AdapterContext): ModelAdapter => {
  /** Every request of a client asks for it, and the same object comes until the client changes. */
  const made = new WeakMap<Client, AdapterPayload>();
  const make = (client: Client): AdapterPayload => {
    const payload = toEngineClient(client, origin);
    made.set(client, payload);
    return payload;
  };
  return {
    find: async (id, { request, unit }) => {
      const begins = beginsApproval(request);
      if (begins && documents) await bringClient(documents, id, unit.facts.address);
      const client = await clients.findClient(id, brand);
      if (begins && client?.source === 'document' && !documents?.takes(id)) return undefined;
      return client && (made.get(client) ?? make(client));
    },
  };
};
