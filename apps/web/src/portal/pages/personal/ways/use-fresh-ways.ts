import { useQueryClient } from '@tanstack/react-query';
import { accountQuery } from '../../../account/queries.ts';
import { trustedBrowsersQuery, waysQuery } from './queries.ts';

/** Reads anew what the second step changes. */
export const useFreshWays = () => {
  const client = useQueryClient();
  return async () => {
    const queries = [waysQuery, accountQuery, trustedBrowsersQuery];
    await Promise.all(queries.map(({ queryKey }) => client.invalidateQueries({ queryKey })));
  };
};
