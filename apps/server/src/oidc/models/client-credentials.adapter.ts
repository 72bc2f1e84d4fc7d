import type { KoaContextWithOIDC } from 'oidc-provider';
import type { AdapterContext, ModelAdapter } from './model-adapter.ts';
import { createOtherAdapter } from './other.adapter.ts';

/** The engine writes 6 bits a character. */
const BITS = 256;
const CLIENT_CREDENTIALS_BITS = 264;
const CLIENT_CREDENTIALS_LENGTH = CLIENT_CREDENTIALS_BITS / 6;

/** Tokens of machines are a character longer, so that whoever looks for another token need not look among them. */
export const bitsOfOpaqueRandomness = (_ctx: KoaContextWithOIDC, { kind }: { kind?: string }): number =>
  kind === 'ClientCredentials' ? CLIENT_CREDENTIALS_BITS : BITS;

/** Tokens that a machine got for itself: no grant, no account; they end with their client. */
export const createClientCredentialsAdapter = (context: AdapterContext): ModelAdapter => {
  const stored = createOtherAdapter(context, 'ClientCredentials');
  return {
    ...stored,
    find: async (id) => {
      if (id.length !== CLIENT_CREDENTIALS_LENGTH) return undefined;
      const payload = await stored.find(id);
      const client = payload?.clientId && (await context.clients.findClient(payload.clientId, context.brand));
      return client ? payload : undefined;
    },
  };
};
