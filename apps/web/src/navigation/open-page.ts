import { LostPartError } from '../bring.ts';
import { settle, waitFor } from '../connection/connection.ts';
import { isDirty } from '../lost-chunk.ts';

/** Loads what the page of a path is drawn by; undefined where all of it is there. */
type PageLoader = (path: string) => Promise<unknown> | undefined;

let load: PageLoader = () => undefined;

export const setPageLoader = (loader: PageLoader): void => {
  load = loader;
};

let presses = 0;

/**
 * Goes to a page as soon as it can be drawn. Until then the one on screen stays, with all that is typed there;
 * a link that is pressed meanwhile takes the place of this one.
 */
export const openPage = async (href: string, go: () => void): Promise<void> => {
  presses += 1;
  const press = presses;
  const leave = () => location.assign(href);
  try {
    const missing = load(new URL(href, location.href).pathname);
    if (missing) await missing;
    if (press !== presses) return;
    settle();
    go();
  } catch (error) {
    if (press !== presses) return;
    const why = error instanceof LostPartError ? error.why : 'broken';
    if (why === 'unreachable') waitFor({ why, again: () => void openPage(href, go) });
    else if (isDirty(document)) waitFor({ why, again: leave });
    else leave();
  }
};
