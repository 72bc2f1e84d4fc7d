import type { RememberedConsent } from '../../../link/grant/grant.service.ts';
import { row } from '../storage/row.ts';
import type { UnitOfWork } from '../storage/unit.ts';
import { rememberConsent } from './remember-consent.repository.ts';

/** Queues a person's answer to an app, so that the person is not asked about the same scopes again. */
export const queueRememberedConsent = (
  unit: UnitOfWork,
  key: { brand: string; accountId: string; clientId: string; fingerprint: string },
  { approved, declined }: RememberedConsent,
): void =>
  unit.keep(row.rememberedConsent(key.clientId), rememberConsent, {
    ...key,
    scope: [...approved].join(' '),
    declined: [...declined].join(' '),
  });
