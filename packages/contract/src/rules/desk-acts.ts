/** What staff may do at the desk, from the least to the most. */
export const staffRoles = ['viewer', 'support', 'operator'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** Whether a role may do what takes at least `least`. */
export const mayAs = (role: StaffRole, least: StaffRole): boolean =>
  staffRoles.indexOf(role) >= staffRoles.indexOf(least);

/** The most characters of a reason or a note. */
export const REASON_LENGTH = 500;

/** What an act does to the person, in the order in which a page says it. */
export const deskEffects = [
  'signed_out_everywhere',
  'cannot_sign_in',
  'can_sign_in',
  'tries_start_anew',
  'message_to_contact',
  'factor_off_after_wait',
  'factor_off_now',
  'factor_stays',
  'app_disconnected',
  'links_wait',
  'links_live_on',
  'links_stay',
  'deleted_after_grace',
  'account_kept',
  'file_to_contact',
  'all_contacts_told',
  'shown_to_person',
  'staff_only',
] as const;
export type DeskEffect = (typeof deskEffects)[number];

interface DeskActRule {
  /** The least role that may do it. */
  role: StaffRole;
  /** It takes a caller who has proven who they are. What protects the account, or only writes to its contacts, takes none. */
  needsCaller: boolean;
  does: readonly DeskEffect[];
  /** The act that takes it back. */
  undo?: string;
}

/** The acts of the desk: who may do each, and what each does to the person. The page says it before the act is done. */
export const deskActs = {
  'end-sessions': {
    role: 'support',
    needsCaller: false,
    does: ['signed_out_everywhere', 'links_stay', 'shown_to_person'],
  },
  'lift-limits': { role: 'support', needsCaller: true, does: ['tries_start_anew', 'shown_to_person'] },
  'resend-recovery': {
    role: 'support',
    needsCaller: false,
    does: ['message_to_contact', 'shown_to_person'],
  },
  'check-contact': {
    role: 'support',
    needsCaller: false,
    does: ['message_to_contact', 'shown_to_person'],
  },
  'remove-factor': {
    role: 'support',
    needsCaller: true,
    does: ['factor_off_after_wait', 'all_contacts_told', 'shown_to_person'],
    undo: 'stop-removal',
  },
  'stop-removal': {
    role: 'support',
    needsCaller: false,
    does: ['factor_stays', 'all_contacts_told', 'shown_to_person'],
  },
  disable: {
    role: 'support',
    needsCaller: false,
    does: ['signed_out_everywhere', 'cannot_sign_in', 'links_wait', 'shown_to_person'],
    undo: 'enable',
  },
  enable: {
    role: 'operator',
    needsCaller: true,
    does: ['can_sign_in', 'links_live_on', 'shown_to_person'],
    undo: 'disable',
  },
  'begin-leaving': {
    role: 'support',
    needsCaller: true,
    does: [
      'signed_out_everywhere',
      'links_wait',
      'deleted_after_grace',
      'all_contacts_told',
      'shown_to_person',
    ],
    undo: 'keep',
  },
  keep: {
    role: 'support',
    needsCaller: true,
    does: ['account_kept', 'links_live_on', 'all_contacts_told', 'shown_to_person'],
    undo: 'begin-leaving',
  },
  export: {
    role: 'support',
    needsCaller: true,
    does: ['file_to_contact', 'shown_to_person'],
  },
  'withdraw-authorization': {
    role: 'support',
    needsCaller: true,
    does: ['app_disconnected', 'shown_to_person'],
  },
  note: { role: 'support', needsCaller: false, does: ['staff_only'] },
} as const satisfies Readonly<Record<string, DeskActRule>>;

/** The name of an act, as in its path: `POST /api/desk/accounts/:id/end-sessions`. */
export type DeskAct = keyof typeof deskActs;

export const deskActNames = Object.keys(deskActs) as DeskAct[];

/** The acts that people see of staff: all but what staff keep to themselves. */
export type ShownAct = Exclude<DeskAct, 'note'>;

export const shownActs = deskActNames.filter((act): act is ShownAct => act !== 'note');

/** What the record of the desk and of the command line names: looks, checks, acts, and what a command did. */
export const recordActions = [
  ...deskActNames,
  'open-desk',
  'search',
  'look',
  'look-at-record',
  'look-at-service',
  'look-at-apps',
  'look-at-app',
  'disable-app',
  'enable-app',
  'look-at-requests',
  'allow-developer',
  'refuse-developer',
  'look-at-words',
  'change-words',
  'reveal',
  'start-check',
  'answer-check',
  'look-at-approvals',
  'ask-approval',
  'approve',
  'decline',
  'remove-factor-now',
  'command',
] as const;
export type RecordAction = (typeof recordActions)[number] | DeskAct;
