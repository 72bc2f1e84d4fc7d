import type { ActDone, DeskAct } from '@candela/contract';
import { queryClient } from '../../../portal/account/queries.ts';
import { call } from '../../../shell/api/client.ts';
import { approvalsQuery, act as doAct } from '../../queries.ts';
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

/** The list of what waits is read anew when it is opened, and not before: each time is a look. */
const noteAsked = (done: ActDone): ActDone => {
  if (done.approval !== undefined)
    void queryClient.invalidateQueries({ queryKey: approvalsQuery.queryKey, refetchType: 'none' });
  return done;
};

/**
 * Does an act on an account, by a fresh proof.
 * @throws {ApiError} step_up_required when the member of staff gives up the proof
 */
export const carryOut = async (id: string, wanted: WantedAct, draft: ActDraft): Promise<ActDone> => {
  const params = { id };
  const { reason, contact, atOnce } = draft;
  const { act, authorization } = wanted;
  const done = await doAct(() => {
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
  return noteAsked(done);
};
