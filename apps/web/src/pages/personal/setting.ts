import type { ContactKind } from '../../account/use-contact.ts';
import type { Problem } from '../../forms/form-errors.ts';
import { type IdentifierDraft, isDraft } from '../../identifier/draft.ts';

/** What a row of the settings opens. */
export type Setting = 'avatar' | 'nickname' | ContactKind | `unbind-${ContactKind}` | 'password' | 'language';

/** A dialog that is open, with what is put into it. */
export interface OpenSetting {
  setting: Setting;
  nickname?: string;
  draft?: IdentifierDraft;
  problem?: Problem;
}

/** Whether a link that led here, by the state of its entry, was for a new password. */
export const asksForPassword = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'setting' in state && state.setting === 'password';

/** What stood in a dialog when the session was found to be gone: never a password, never a code. */
export interface Unsaved {
  /** Nobody else's typing is shown to who signs in next. */
  accountId: string;
  setting: 'nickname' | ContactKind;
  nickname?: string;
  draft?: IdentifierDraft;
}

const key = 'candela.unsaved';

/** Keeps what is typed over the sign-in that comes between. */
export const keepUnsaved = (unsaved: Unsaved): void => {
  try {
    sessionStorage.setItem(key, JSON.stringify(unsaved));
  } catch {
    // Storage may be blocked: it is typed again.
  }
};

/** Takes what was kept, once, for the account it was typed in. */
export const takeUnsaved = (accountId: string): Unsaved | undefined => {
  try {
    const kept: Partial<Unsaved> | null = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    sessionStorage.removeItem(key);
    if (kept?.accountId !== accountId) return undefined;
    const { setting, nickname, draft } = kept;
    if (setting === 'nickname' && typeof nickname === 'string') return { accountId, setting, nickname };
    return (setting === 'phone' || setting === 'email') && isDraft(draft)
      ? { accountId, setting, draft }
      : undefined;
  } catch {
    return undefined;
  }
};
