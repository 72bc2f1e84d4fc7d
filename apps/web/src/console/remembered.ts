/** A choice that this browser keeps. One that keeps nothing forgets it. */
export const remembered = (key: string) => ({
  read: (): string | null => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  write: (value: string): void => {
    try {
      localStorage.setItem(key, value);
    } catch {
      // The choice lasts as long as the page.
    }
  },
});
