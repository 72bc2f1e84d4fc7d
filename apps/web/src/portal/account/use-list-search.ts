import { useState } from 'react';
import { type PagedQuery, useRest } from './use-rest.ts';

/** A list of at most this length needs no search. */
const GLANCE = 10;

/** Searches a long list by words. The first search loads the whole list. */
export const useListSearch = <Item>(query: PagedQuery<Item>, textOf: (item: Item) => string) => {
  const [text, setText] = useState('');
  const words = text.trim().toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const searching = words.length > 0;
  const all = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const rest = useRest(query, searching);
  const includes = (told: string): boolean => {
    const lower = told.toLocaleLowerCase();
    return words.every((word) => lower.includes(word));
  };

  return {
    text,
    setText,
    searching,
    /** The state of the part of the list that is not loaded yet; undefined when the list is whole. */
    rest,
    /** Whether to show the field for a search. */
    offered: searching || query.hasNextPage || all.length > GLANCE,
    matches: (item: Item): boolean => includes(textOf(item)),
    /** Whether a text has all the words. */
    includes,
  };
};
