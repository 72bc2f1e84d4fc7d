import type { AdapterContext, ModelAdapter } from '../adapter.ts';

export const createClientAdapter = ({ clients, brand }: AdapterContext): ModelAdapter => ({
  find: async (id) => (await clients.findClient(id, brand))?.metadata,
});
