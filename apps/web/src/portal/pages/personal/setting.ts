import { type IdentifierDraft, isDraft } from '../../../flow/identifier/draft.ts';
import type { Problem } from '../../../shell/forms/form-errors.ts';
import type { ContactKind } from '../../contact/use-contact.ts';

/** The dialogs that the rows of the settings open. */
export type Setting = 'avatar' | 'nickname' | ContactKind | `unbind-${ContactKind}` | 'password' | 'language';

/** An open dialog, with its initial input. */
export interface OpenSetting {
  setting: Setting;
  nickname?: string;
  draft?: IdentifierDraft;
  problem?: Problem;
}

/** Whether the state of the history entry asks to change the password. */
export const asksForPassword = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'setting' in state && state.setting === 'password';

/** The input of a dialog when the session ended. It never holds a password or a code. */
export interface Unsaved {
  /** The account of the input. No other account gets it. */
  accountId: string;
  setting: 'nickname' | ContactKind;
  nickname?: string;
  draft?: IdentifierDraft;
}

const key = 'candela.unsaved';

/** Keeps the input across a new sign-in. */
export const keepUnsaved = (unsaved: Unsaved): void => {
  try {
    sessionStorage.setItem(key, JSON.stringify(unsaved));
  } catch {
    // Storage may be blocked: the person types the input again.
  }
};

/** Returns the kept input to the account that typed it, and deletes it. */
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
