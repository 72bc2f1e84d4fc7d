import { HOME_PAGE, type PagePath } from '@candela/contract/pages';
import { isOwnPath } from '@candela/contract/rules/own-path';
import { RETURN_TO_LENGTH } from './return-cookies.ts';

/** From here a browser would come straight back to the sign-in. */
const leadingBack: readonly string[] = ['/sign-in', '/login', '/register', '/middle'] satisfies (
  | PagePath
  | '/sign-in'
)[];

/**
 * Where a sign-in returns to: `value` if it is a path of `origin` that a cookie can hold and that does not lead back
 * to the sign-in, else the home page.
 */
export const safeReturnTo = (value: unknown, origin: string): string => {
  if (typeof value !== 'string' || value.length > RETURN_TO_LENGTH) return HOME_PAGE;
  if (!isOwnPath(value) || !/^[\x21-\x7e]*$/.test(value)) return HOME_PAGE;
  const url = URL.parse(value, origin);
  if (!url || url.origin !== origin) return HOME_PAGE;
  const path = `${url.pathname}${url.search}`;
  return leadingBack.includes(url.pathname) || path.length > RETURN_TO_LENGTH ? HOME_PAGE : path;
};
