import type { ActivityKind } from '@candela/contract';
import { credentialChange, resumed, suspended, type Told } from '../signal/told.ts';

/**
 * What each happening tells those who depend on the account, besides the sessions and links that end with it:
 * `link/ending/what-ends-what.ts` has those. `caller`: the kind alone does not say; `noteActivity` takes what is told.
 */
export const activitySignals = {
  sign_in: [],
  sign_in_refused: [],
  new_browser: [],
  session_ended: [],
  sessions_ended: [],
  trusted_browser_added: [],
  trusted_browser_ended: [],
  disputed: [],
  password_changed: [credentialChange('password', 'update')],
  password_recovered: [{ event: 'recovery-activated', members: {} }, credentialChange('password', 'update')],
  recovery_wait_started: [{ event: 'recovery-activated', members: {} }],
  recovery_wait_stopped: [],
  passkey_added: 'caller',
  passkey_renamed: [],
  passkey_removed: 'caller',
  passkey_counter: [],
  provider_linked: [],
  provider_unlinked: [],
  provider_closed: [],
  totp_added: [credentialChange('app', 'create')],
  totp_removed: [credentialChange('app', 'delete')],
  recovery_codes_made: [],
  recovery_code_used: [],
  identifier_bound: 'caller',
  identifier_removed: 'caller',
  identifier_change_waits: [],
  identifier_change_undone: 'caller',
  approval_given: [],
  approval_renewed: [],
  /** A link that is narrowed tells by itself: `link/grant/grant-change.service.ts`. */
  approval_narrowed: [],
  approval_withdrawn: [],
  registered: [],
  export_requested: [],
  export_downloaded: [],
  deletion_requested: suspended,
  deletion_cancelled: resumed,
  account_disabled: 'caller',
  account_enabled: resumed,
  staff_acted: [],
  staff_looked: [],
} as const satisfies Readonly<Record<ActivityKind, readonly Told[] | 'caller'>>;

/** The kinds that do not say by themselves what is told. */
export type ToldByCaller = {
  [Kind in ActivityKind]: (typeof activitySignals)[Kind] extends 'caller' ? Kind : never;
}[ActivityKind];
