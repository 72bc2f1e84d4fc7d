import { focusSoon } from '../../../shell/forms/focus-soon.ts';
import type { Setting } from './setting.ts';

/** A row by its `data-setting`. */
type Row = Setting | 'totp' | 'recovery-codes' | 'passkeys' | `provider-${string}`;

const find = (setting: Row, within = ''): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-setting="${CSS.escape(setting)}"] ${within}`);

/** The first button of a row of the settings. */
export const rowButton = (setting: Row): HTMLElement | null => find(setting, 'button');

/** Scrolls to a row. */
export const showRow = (setting: Row): void => find(setting)?.scrollIntoView({ block: 'center' });

/** Moves the focus to a row's first button, after a closing dialog has restored the focus. */
export const focusRow = (setting: Row): void => focusSoon(() => rowButton(setting));
