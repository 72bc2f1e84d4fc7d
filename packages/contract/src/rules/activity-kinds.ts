/** What can happen to an account, by the group that a person filters by. */
export const activityGroups = {
  sign_ins: [
    'sign_in',
    'sign_in_refused',
    'new_browser',
    'session_ended',
    'sessions_ended',
    'trusted_browser_added',
    'trusted_browser_ended',
    'disputed',
  ],
  keys: [
    'password_changed',
    'password_recovered',
    'recovery_wait_started',
    'recovery_wait_stopped',
    'passkey_added',
    'passkey_renamed',
    'passkey_removed',
    'passkey_counter',
    'provider_linked',
    'provider_unlinked',
    'provider_closed',
    'totp_added',
    'totp_removed',
    'recovery_codes_made',
    'recovery_code_used',
  ],
  contacts: ['identifier_bound', 'identifier_removed', 'identifier_change_waits', 'identifier_change_undone'],
  apps: ['approval_given', 'approval_renewed', 'approval_narrowed', 'approval_withdrawn'],
  account: [
    'registered',
    'export_requested',
    'export_downloaded',
    'deletion_requested',
    'deletion_cancelled',
    'account_disabled',
    'account_enabled',
    'staff_acted',
    'staff_looked',
  ],
} as const;

export type ActivityGroup = keyof typeof activityGroups;
export type ActivityKind = (typeof activityGroups)[ActivityGroup][number];

export const activityGroupNames = Object.keys(activityGroups) as ActivityGroup[];
export const activityKinds: readonly ActivityKind[] = Object.values(activityGroups).flat();

/** For how long a person sees what happened. */
export const ACTIVITY_DAYS = 180;
