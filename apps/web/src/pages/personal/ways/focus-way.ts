import { focusSoon } from '../../../components/focus-soon.ts';

/** Moves the focus to the first action of a row, after a dialog that has removed the pressed button. */
export const focusWay = (id: 'passkeys' | 'second-step'): void =>
  focusSoon(() => document.querySelector<HTMLElement>(`[data-setting=${id}] > dd:last-child button`));
