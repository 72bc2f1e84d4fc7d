import { toEngineMetadata } from '../client/engine-metadata.ts';
import type { AdapterContext, ModelAdapter } from './model-adapter.ts';

export const createClientAdapter = ({ clients, brand }: AdapterContext): ModelAdapter => ({
  find: async (id) => {
    const client = await clients.findClient(id, brand);
    return client && toEngineMetadata(client.metadata);
  },
});
