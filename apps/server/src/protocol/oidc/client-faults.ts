import { generateKeyPairSync } from 'node:crypto';
import type Provider from 'oidc-provider';
import { toEngineMetadata } from './client/engine-metadata.ts';
import { createEngine, type EngineOptions } from './provider.ts';
import { faultOfMetadata } from './seam/client-model.ts';

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
  } as unknown as EngineOptions);

let engine: Provider | undefined;

/**
 * Finds, by the engine's own rules, why a client of these metadata could not be used; undefined where it can. The
 * process makes one engine for it, at the first look.
 */
export const findClientFault = (
  metadata: Record<string, unknown> & { client_id: string },
): string | undefined => {
  engine ??= createIdleEngine();
  return faultOfMetadata(engine, toEngineMetadata(metadata));
};
