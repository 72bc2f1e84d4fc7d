import type { ClientService } from '../../client/client.service.ts';
import { UNGUESSABLE_LENGTH } from '../../client/secret-rules.ts';
import type { SecretComparison } from '../seam/client-model.ts';
import { currentUnit } from '../storage/unit.ts';
import type { FailedAuthentications } from './failed-authentication.ts';

/**
 * Compares a secret with the hash that is stored of the client's, and counts the wrong ones.
 * @throws what `FailedAuthentications.requireTry` throws.
 */
export const createSecretComparison =
  ({ clients, failures }: { clients: ClientService; failures: FailedAuthentications }): SecretComparison =>
  async ({ clientId, clientSecret }, presented) => {
    const isRight = clientSecret !== undefined && clients.secretMatches(clientSecret, presented);
    // Nobody guesses a secret that is long enough: whoever sends it is the app, whatever strangers tried.
    if (isRight && presented.length >= UNGUESSABLE_LENGTH) return true;
    const address = currentUnit()?.facts.address ?? '';
    failures.requireTry(clientId, address);
    if (isRight) return true;
    await failures.count(clientId, address, presented);
    return false;
  };
