import type { ClientService } from '../../../clients/client/client.service.ts';
import { UNGUESSABLE_LENGTH } from '../../../clients/client/secret-rules.ts';
import type { SecretComparison } from '../seam/client-model.ts';
import { currentUnit } from '../storage/unit.ts';
import type { FailedAuthentications } from './failed-authentication.ts';

export interface SecretComparisonOptions {
  brand: { id: string };
  clients: ClientService;
  failures: FailedAuthentications;
}

/**
 * Compares a secret with the stored hashes of the client's, and counts the wrong ones. The unit notes why a secret is
 * refused.
 * @throws what `FailedAuthentications.requireTry` throws.
 */
export const createSecretComparison =
  ({ brand, clients, failures }: SecretComparisonOptions): SecretComparison =>
  async ({ clientId }, presented) => {
    const client = await clients.findClient(clientId, brand.id);
    const verdict = client ? clients.judgeSecret(client, presented) : 'wrong';
    const unit = currentUnit();
    if (unit && verdict !== 'right') unit.noted.refusedSecret = verdict;
    // Nobody guesses a secret that is long enough: whoever sends it is the app, whatever strangers tried.
    if (verdict === 'right' && presented.length >= UNGUESSABLE_LENGTH) return true;
    const address = unit?.facts.address ?? '';
    failures.requireTry(clientId, address);
    if (verdict === 'right') return true;
    await failures.count(clientId, address, presented);
    return false;
  };
