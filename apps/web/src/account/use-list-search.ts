import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** A list of at most this length needs no search. */
const GLANCE = 10;

interface Paged<Item> {
  items: Item[];
  next?: string | undefined;
}

/** Searches a long list by words. The first search loads the whole list. */
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
    /** The state of the part of the list that is not loaded yet; undefined when the list is whole. */
    rest: hasNextPage ? (isError ? ('failed' as const) : ('loading' as const)) : undefined,
    /** Whether to show the field for a search. */
    offered: searching || hasNextPage || all.length > GLANCE,
    matches: (item: Item): boolean => {
      const told = textOf(item).toLocaleLowerCase();
      return words.every((word) => told.includes(word));
    },
  };
};
