import { type DeskActState, deskActNames, deskActs, mayAs } from '@candela/contract';
import type { StaffAtWork } from '../desk-session/desk-session.service.ts';

/** Why each act is off for this member of staff, as far as it is known before it is asked for. */
export const actStates = (
  { role, current }: StaffAtWork,
  accountId: string,
  { isProven, disabled, leaving }: { isProven: boolean; disabled: boolean; leaving: boolean },
): DeskActState[] => {
  const idle: Partial<Record<DeskActState['act'], boolean>> = {
    // Nobody recovers an account that is disabled.
    'resend-recovery': disabled,
    disable: disabled,
    enable: !disabled,
    'begin-leaving': leaving,
    keep: !leaving,
  };
  const offOf = (act: DeskActState['act']): DeskActState['off'] => {
    const { role: least, needsCaller } = deskActs[act];
    if (!mayAs(role, least)) return 'role_insufficient';
    if (accountId === current.accountId) return 'own_account';
    if (idle[act]) return 'nothing_to_do';
    return needsCaller && !isProven ? 'caller_unproven' : undefined;
  };
  return deskActNames.map((act) => {
    const off = offOf(act);
    return { act, ...(off && { off }) };
  });
};
