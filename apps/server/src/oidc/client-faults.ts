import { generateKeyPairSync } from 'node:crypto';
import type Provider from 'oidc-provider';
import type { ClientMetadata } from 'oidc-provider';
import { toEngineMetadata } from './client/engine-metadata.ts';
import type { ConfigurationOptions } from './configuration.ts';
import { createEngine } from './provider.ts';

const createKeys = () => [
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
];

/** An engine configured as the brands' are, that serves nobody: what it would need for that is left out. */
const createIdleEngine = (): Provider =>
  createEngine({
    brand: { id: 'none', origin: 'https://engine.invalid' },
    signingKeys: createKeys(),
    cookieKeys: ['signs nothing'],
    nonceKey: Buffer.alloc(32),
    pairwiseSalt: Buffer.alloc(32),
    clients: {},
    consents: {},
    resourceServers: {},
    pages: {},
  } as unknown as ConfigurationOptions);

/** Tells, by the engine's own rules, why a client's metadata could not be used; undefined if they can. */
export const createClientFaultFinder = () => {
  let engine: Provider | undefined;
  return (metadata: Record<string, unknown> & { client_id: string }): string | undefined => {
    engine ??= createIdleEngine();
    const { Client } = engine as unknown as { Client: new (metadata: ClientMetadata) => unknown };
    try {
      new Client(toEngineMetadata(metadata));
      return undefined;
    } catch (error) {
      return (error as { error_description?: string }).error_description ?? (error as Error).message;
    }
  };
};
