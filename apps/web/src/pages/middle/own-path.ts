/** A path of this origin, or undefined: `//host`, `/\host`, control characters and whole URLs lead elsewhere. */
export const ownPath = (value: string | null): string | undefined => {
  if (!value || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(value)) return undefined;
  return value.startsWith('/middle') ? undefined : value;
};
