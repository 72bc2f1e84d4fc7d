import { firstRequests } from '@candela/contract';
import type { PagePath } from '@candela/contract/pages';
import { urlOf } from '@candela/contract/rules/url-of';
import type { Context } from 'koa';

/** Of a request for a page: its query, and the parameters of its path. */
type PageRequest = Pick<Context, 'query'> & { params?: Readonly<Record<string, string>> };

/** The address that a page asks for first; undefined where it asks for nothing, or lacks the interaction to ask about. */
export const firstRequestOf = (
  page: PagePath | undefined,
  { params, query: { interaction } }: PageRequest,
): string | undefined => {
  const [, path] = (page && firstRequests[page])?.split(' ') ?? [];
  if (!path) return undefined;
  const values: Record<string, string> = {
    ...params,
    ...(typeof interaction === 'string' && { uid: interaction }),
  };
  const isWhole = path.matchAll(/:(\w+)/g).every(([, name = '']) => values[name]);
  return isWhole ? urlOf(path, values) : undefined;
};
