import type Provider from 'oidc-provider';
import type { ClientService } from '../client/client.service.ts';

interface ClientWithSecret {
  clientSecret?: string;
  compareClientSecret(actual: string): boolean | Promise<boolean>;
}

/**
 * Client secrets are stored hashed, and the engine compares them in plain text. `compareClientSecret`
 * is the one method of the engine used beyond its documentation; a test keeps watch over it.
 */
export const compareHashedSecrets = (provider: Provider, clients: ClientService): void => {
  const prototype = provider.Client.prototype as unknown as ClientWithSecret;
  prototype.compareClientSecret = function (this: ClientWithSecret, actual) {
    return this.clientSecret !== undefined && clients.secretMatches(this.clientSecret, actual);
  };
};
