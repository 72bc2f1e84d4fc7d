import { toEngineClient } from '../client/engine-metadata.ts';
import { beginsApproval, bringClient } from '../request/client-documents.ts';
import type { AdapterContext, ModelAdapter } from './model-adapter.ts';

export const createClientAdapter = ({ clients, documents, brand, origin }: AdapterContext): ModelAdapter => ({
  find: async (id, { request, unit }) => {
    const begins = beginsApproval(request);
    if (begins && documents) await bringClient(documents, id, unit.facts.address);
    const client = await clients.findClient(id, brand);
    if (begins && client?.source === 'document' && !documents?.takes(id)) return undefined;
    return client && toEngineClient(client, origin);
  },
});
