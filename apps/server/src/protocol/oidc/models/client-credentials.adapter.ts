import { isAsLongAsClientCredentials } from '../token/opaque-length.ts';
import type { AdapterContext, ModelAdapter } from './model-adapter.ts';
import { createOidcModelAdapter } from './oidc-model.adapter.ts';

/** Tokens that a machine got for itself: no grant, no account; they end with their client. */
export const createClientCredentialsAdapter = (context: AdapterContext): ModelAdapter => {
  const stored = createOidcModelAdapter(context, 'ClientCredentials');
  return {
    ...stored,
    find: async (id) => {
      if (!isAsLongAsClientCredentials(id)) return undefined;
      const payload = await stored.find(id);
      const client = payload?.clientId && (await context.clients.findClient(payload.clientId, context.brand));
      return client ? payload : undefined;
    },
  };
};
