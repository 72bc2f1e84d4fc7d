import { useQueryClient } from '@tanstack/react-query';
import { accountQuery } from '../../../account/queries.ts';
import { passkeysQuery, trustedBrowsersQuery, waysQuery } from './queries.ts';

/** Fetches what a change of the ways to sign in may have changed. */
export const useWaysChange = () => {
  const client = useQueryClient();
  const changed = [accountQuery, passkeysQuery, trustedBrowsersQuery, waysQuery];
  return () => Promise.all(changed.map(({ queryKey }) => client.invalidateQueries({ queryKey })));
};
