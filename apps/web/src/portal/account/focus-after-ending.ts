import { focusSoon } from '../../shell/forms/focus-soon.ts';

/** The first element on screen that a selector matches. */
export const onScreen = (selector: string): HTMLElement | undefined =>
  // Hidden kept pages may have elements that match too.
  [...document.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility());

/** Moves the focus to the record after the ended record, else to the record before, else to the title. */
export const focusAfterEnding = (list: readonly { id: string }[], endedId?: string): void => {
  const at = list.findIndex(({ id }) => id === endedId);
  const next = at < 0 ? undefined : (list[at + 1] ?? list[at - 1]);
  focusSoon(() => (next && onScreen(`[data-record="${CSS.escape(next.id)}"] button`)) ?? onScreen('h1'));
};
