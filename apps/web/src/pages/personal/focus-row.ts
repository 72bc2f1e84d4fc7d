import { focusSoon } from '../../components/focus-soon.ts';
import type { Setting } from './setting.ts';

/** The first button of a row of the settings. */
export const rowButton = (setting: Setting | 'totp'): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-setting=${setting}] button`);

/** Moves the focus to a row's first button, after a closing dialog has restored the focus. */
export const focusRow = (setting: Setting | 'totp'): void => focusSoon(() => rowButton(setting));
