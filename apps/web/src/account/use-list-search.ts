import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** As many as are found at a glance. */
const GLANCE = 10;

interface Paged<Item> {
  items: Item[];
  next?: string | undefined;
}

/** Searching a long list by words; all of it is loaded as soon as somebody does. */
export const useListSearch = <Item>(
  {
    data,
    hasNextPage,
    isFetching,
    isError,
    fetchNextPage,
  }: UseInfiniteQueryResult<InfiniteData<Paged<Item>>>,
  textOf: (item: Item) => string,
) => {
  const [text, setText] = useState('');
  const words = text.trim().toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const searching = words.length > 0;
  const all = data?.pages.flatMap(({ items }) => items) ?? [];

  useEffect(() => {
    if (searching && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [searching, hasNextPage, isFetching, isError, fetchNextPage]);

  return {
    text,
    setText,
    searching,
    /** What was found may not be all there is: the rest is on its way, or did not come. */
    rest: hasNextPage ? (isError ? ('failed' as const) : ('loading' as const)) : undefined,
    /** Whether a search helps, or is under way. */
    offered: searching || hasNextPage || all.length > GLANCE,
    matches: (item: Item): boolean => {
      const told = textOf(item).toLocaleLowerCase();
      return words.every((word) => told.includes(word));
    },
  };
};
