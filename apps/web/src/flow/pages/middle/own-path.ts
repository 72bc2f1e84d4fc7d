import { isOwnPath } from '@candela/contract/rules/own-path';

/** The path of this origin to continue to; undefined for any other value, and for this page itself. */
export const ownPath = (value: string | null): string | undefined => {
  if (value === null || !isOwnPath(value)) return undefined;
  return value.startsWith('/middle') ? undefined : value;
};
