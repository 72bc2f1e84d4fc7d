import { useQueryClient } from '@tanstack/react-query';
import { accountQuery, sessionsQuery } from '../../../account/queries.ts';
import { providersQuery, trustedBrowsersQuery, waysQuery } from './queries.ts';

/** Reads anew what a way to sign in changes. */
export const useFreshWays = () => {
  const client = useQueryClient();
  return async () => {
    const queries = [waysQuery, accountQuery, trustedBrowsersQuery, providersQuery, sessionsQuery];
    await Promise.all(queries.map(({ queryKey }) => client.invalidateQueries({ queryKey })));
  };
};
