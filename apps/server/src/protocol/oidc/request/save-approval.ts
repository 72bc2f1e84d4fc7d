import type Provider from 'oidc-provider';
import { isAlwaysAsked } from '../../../clients/client/always-asked.ts';
import type { ClientProfile } from '../../../clients/client/client.service.ts';
import { clientFingerprint } from '../../../clients/client/client-fingerprint.ts';
import { currentUnit } from '../storage/unit.ts';
import { type Asked, fillGrant, keysAsked } from './fill-grant.ts';
import { noteApproval } from './note-approval.ts';
import { queueRememberedConsent } from './remember-consent.ts';

export interface Approval {
  brand: string;
  accountId: string;
  client: ClientProfile;
  asked: Asked;
  /** The keys (`keysAsked`) of what the person approved. */
  approved: ReadonlySet<string>;
}

/**
 * Saves the grant of an approval, notes the approval and remembers the answer, all inside the unit. It makes a new grant
 * always: one approval can be withdrawn without touching another.
 * @returns the id of the grant
 */
export const saveApproval = async (
  provider: Provider,
  { brand, accountId, client, asked, approved }: Approval,
): Promise<string> => {
  const grant = new provider.Grant({ accountId, clientId: client.id });
  const isDeclined = (key: string) => !approved.has(key);
  fillGrant(grant, asked, isDeclined);
  const grantId = await grant.save();
  const unit = currentUnit();
  if (unit) noteApproval(unit, { accountId, brand, clientId: client.id });
  const consent = { approved, declined: new Set(keysAsked(asked).filter(isDeclined)) };
  const key = { brand, accountId, clientId: client.id, fingerprint: clientFingerprint(client.metadata) };
  if (unit && !isAlwaysAsked(client)) queueRememberedConsent(unit, key, consent);
  return grantId;
};
