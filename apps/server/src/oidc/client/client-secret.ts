import type Provider from 'oidc-provider';
import type { ClientService } from '../../client/client.service.ts';
import { UNGUESSABLE_LENGTH } from '../../client/secret-rules.ts';
import { currentUnit } from '../storage/unit.ts';
import type { FailedAuthentications } from './failed-authentication.ts';

interface ClientWithSecret {
  clientId: string;
  clientSecret?: string;
  compareClientSecret(actual: string): boolean | Promise<boolean>;
}

/**
 * Client secrets are stored hashed, and the engine compares them in plain text. `compareClientSecret`
 * is the one method of the engine used beyond its documentation; a test keeps watch over it.
 */
export const compareHashedSecrets = (
  provider: Provider,
  { clients, failures }: { clients: ClientService; failures: FailedAuthentications },
): void => {
  const prototype = provider.Client.prototype as unknown as ClientWithSecret;
  prototype.compareClientSecret = async function (this: ClientWithSecret, actual) {
    const isRight = this.clientSecret !== undefined && clients.secretMatches(this.clientSecret, actual);
    // Nobody guesses one that is long enough: whoever sends it is the app, whatever strangers tried.
    if (isRight && actual.length >= UNGUESSABLE_LENGTH) return true;
    const address = currentUnit()?.facts.address ?? '';
    failures.requireTry(this.clientId, address);
    if (isRight) return true;
    await failures.count(this.clientId, address, actual);
    return false;
  };
};
