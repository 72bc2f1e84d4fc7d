/** Names for what a report must not show. */
export interface Masks {
  /** Shows `name`, in brackets, in the place of `value` from now on. */
  hide(value: unknown, name: string): void;
  /** As `hide`, with the number of the value among those of that name: `(refresh token 2)`. */
  hideNext(value: unknown, name: string): void;
  /** Shows another value in the place of `value`. */
  rename(value: string, shown: string): void;
  /** The text as a report shows it, at most 600 characters of it. */
  mask(text: string): string;
}

const SHOWN = 600;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

/** Longer values are replaced first: one may be a part of another. */
export const createMasks = (): Masks => {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const hide: Masks['hide'] = (value, name) => {
    if (typeof value === 'string' && value !== '') names.set(value, names.get(value) ?? `(${name})`);
  };
  return {
    hide,
    hideNext: (value, name) => {
      if (typeof value !== 'string' || names.has(value)) return;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      hide(value, `${name} ${count}`);
    },
    rename: (value, shown) => void names.set(value, shown),
    mask: (text) => {
      const shown = [...names]
        .toSorted(([a], [b]) => b.length - a.length)
        .reduce(
          (masked, [value, name]) =>
            masked.replaceAll(value, name).replaceAll(encodeURIComponent(value), name),
          decoded(text),
        );
      return shown.length > SHOWN ? `${shown.slice(0, SHOWN)}...` : shown;
    },
  };
};
