import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';

export type PagedQuery<Item> = UseInfiniteQueryResult<
  InfiniteData<{ items: Item[]; next?: string | undefined }>
>;

/** The part of a paged list that is not loaded yet; undefined when the list is whole. `wanted` loads it. */
export const useRest = <Item>(
  { hasNextPage, isFetching, isError, fetchNextPage }: PagedQuery<Item>,
  wanted: boolean,
): 'loading' | 'failed' | undefined => {
  useEffect(() => {
    if (wanted && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [wanted, hasNextPage, isFetching, isError, fetchNextPage]);
  if (!hasNextPage) return undefined;
  return isError ? 'failed' : 'loading';
};
