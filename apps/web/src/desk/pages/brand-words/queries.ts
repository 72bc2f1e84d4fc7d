import type { Locale } from '@candela/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../shell/api/client.ts';
import { after, once, paged, read } from '../../queries.ts';

/** The key of all that the desk knows of the words of brands. */
export const wordsKey = ['desk', 'brand-words'] as const;

export const brandsQuery = queryOptions({
  ...once,
  queryKey: [...wordsKey, 'brands'],
  queryFn: ({ signal }) => read(call('GET /api/desk/brands', { signal })),
  refetchOnMount: 'always',
});

export const brandQuery = (brand: string, locale: Locale) =>
  queryOptions({
    ...once,
    queryKey: [...wordsKey, brand, locale],
    queryFn: ({ signal }) =>
      read(call('GET /api/desk/brands/:brand', { signal, params: { brand }, query: { locale } })),
  });

export const wordsHistoryQuery = (brand: string) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: [...wordsKey, brand, 'history'],
    queryFn: ({ pageParam, signal }) =>
      read(
        call('GET /api/desk/brands/:brand/history', {
          signal,
          params: { brand },
          query: after(pageParam),
        }),
      ),
    refetchOnMount: 'always',
  });
