import type { ClientErrorKind } from '@candela/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../shell/api/client.ts';

/** Whether the person may register apps, or asked to. */
export const accessQuery = queryOptions({
  queryKey: ['developer-access'],
  queryFn: ({ signal }) => call('GET /api/developer-access', { signal }),
  refetchOnMount: 'always',
});

/** The key of all that the server knows of one client. */
export const keyOf = (id: string) => ['client', id] as const;

export const clientQuery = (id: string) =>
  queryOptions({
    queryKey: [...keyOf(id), 'registration'],
    queryFn: ({ signal }) => call('GET /api/clients/:id', { signal, params: { id } }),
    refetchOnMount: 'always',
  });

export const membersQuery = (id: string) =>
  queryOptions({
    queryKey: [...keyOf(id), 'members'],
    queryFn: ({ signal }) => call('GET /api/clients/:id/members', { signal, params: { id } }),
    refetchOnMount: 'always',
  });

export const historyQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(id), 'history'],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/clients/:id/history', {
        signal,
        params: { id },
        query: pageParam ? { after: pageParam } : {},
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  });

export const healthQuery = (id: string) =>
  queryOptions({
    queryKey: [...keyOf(id), 'health'],
    queryFn: ({ signal }) => call('GET /api/clients/:id/health', { signal, params: { id } }),
    refetchOnMount: 'always',
  });

export const streamQuery = (id: string) =>
  queryOptions({
    queryKey: [...keyOf(id), 'stream'],
    queryFn: ({ signal }) => call('GET /api/clients/:id/stream', { signal, params: { id } }),
    refetchOnMount: 'always',
  });

/** Refused requests: all of them, or those that `only` names. */
export const errorsQuery = (id: string, only: { reference?: string; kind?: ClientErrorKind }) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(id), 'errors', only],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/clients/:id/errors', {
        signal,
        params: { id },
        query: { ...only, ...(pageParam && { after: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  });
