import { LostPartError } from '../bring.ts';
import { settle, waitFor } from '../connection/connection.ts';
import { isDirty } from '../lost-chunk.ts';

/** Loads the code and the texts of the page at a path; undefined when they are loaded. */
type PageLoader = (path: string) => Promise<unknown> | undefined;

const loaders: PageLoader[] = [];

/** Adds what loads pages: the router's, and those of a room that has a router of its own. */
export const addPageLoader = (loader: PageLoader): void => {
  loaders.push(loader);
};

const load: PageLoader = (path) => {
  const missing = loaders.map((loader) => loader(path)).filter((loading) => loading !== undefined);
  return missing.length > 0 ? Promise.all(missing) : undefined;
};

let presses = 0;

/**
 * Goes to a page once it can render. Until then the current page stays with its input, and a press on another link
 * replaces this navigation.
 * @param carries the navigation hands on what the person gave: where only a reload helps, it goes first, and the history
 *   keeps it
 */
export const openPage = async (
  href: string,
  go: () => void,
  { carries = false }: { carries?: boolean } = {},
): Promise<void> => {
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
    if (why === 'unreachable') waitFor({ why, again: () => void openPage(href, go, { carries }) });
    else if (carries) go();
    else if (isDirty(document)) waitFor({ why, again: leave });
    else leave();
  }
};
