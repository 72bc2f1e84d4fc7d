import { focusSoon } from '../../components/focus-soon.ts';
import type { Setting } from './setting.ts';

/** A row by its `data-setting`. */
type Row = Setting | 'totp' | 'recovery-codes' | 'passkeys';

/** The first button of a row of the settings. */
export const rowButton = (setting: Row): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-setting=${setting}] button`);

/** Moves the focus to a row's first button, after a closing dialog has restored the focus. */
export const focusRow = (setting: Row): void => focusSoon(() => rowButton(setting));
