import type { ActDone, DeskAct } from '@candela/contract';
import { call } from '../../../shell/api/client.ts';
import { act as doAct } from '../../queries.ts';
import type { WantedAct } from './acts.ts';

/** What the dialog of an act has asked for. */
export interface ActDraft {
  reason: string;
  contact: 'phone' | 'email';
  /** Only of `remove-factor`. */
  atOnce: boolean;
}

/** Acts that are about one contact of the account. */
const contactActs = ['resend-recovery', 'check-contact', 'remove-factor'] as const;

export const takesContact = (act: DeskAct): boolean => contactActs.some((each) => each === act);

/**
 * Does an act on an account, by a fresh proof.
 * @throws {ApiError} step_up_required when the member of staff gives up the proof
 */
export const carryOut = (id: string, wanted: WantedAct, draft: ActDraft): Promise<ActDone> => {
  const params = { id };
  const { reason, contact, atOnce } = draft;
  const { act, authorization } = wanted;
  return doAct(() => {
    switch (act) {
      case 'resend-recovery':
      case 'check-contact':
        return call(`POST /api/desk/accounts/:id/${act}`, { params, body: { reason, contact } });
      case 'remove-factor':
        return call('POST /api/desk/accounts/:id/remove-factor', {
          params,
          body: { reason, contact, ...(atOnce && { atOnce }) },
        });
      case 'withdraw-authorization':
        return call('POST /api/desk/accounts/:id/withdraw-authorization', {
          params,
          body: { reason, authorization: authorization?.id ?? '' },
        });
      default:
        return call(`POST /api/desk/accounts/:id/${act}`, { params, body: { reason } });
    }
  });
};
