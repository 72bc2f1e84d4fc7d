import { LostPartError } from '../bring.ts';
import { settle, waitFor } from '../connection/connection.ts';
import { isDirty } from '../lost-chunk.ts';

/** Loads the code and the texts of the page at a path; undefined when they are loaded. */
type PageLoader = (path: string) => Promise<unknown> | undefined;

let load: PageLoader = () => undefined;

export const setPageLoader = (loader: PageLoader): void => {
  load = loader;
};

let presses = 0;

/**
 * Goes to a page once it can render. Until then the current page stays with its input, and a press on another link
 * replaces this navigation.
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
