import type { ClientSource, ServiceSpan } from '@candela/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../shell/api/client.ts';
import { after, once, paged, read } from './queries.ts';

export const serviceQuery = (span: ServiceSpan) =>
  queryOptions({
    ...once,
    queryKey: ['desk', 'service', span],
    queryFn: ({ signal }) => read(call('GET /api/desk/service', { signal, query: { span } })),
    refetchOnMount: 'always',
  });

export const appsQuery = (source: ClientSource | undefined) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: ['desk', 'apps', source],
    queryFn: ({ pageParam, signal }) =>
      read(
        call('GET /api/desk/clients', {
          signal,
          query: { ...(source && { source }), ...after(pageParam) },
        }),
      ),
    refetchOnMount: 'always',
  });

/** The key of all that the desk knows of one app. */
export const appKey = (id: string) => ['desk', 'app', id] as const;

export const appQuery = (id: string) =>
  queryOptions({
    ...once,
    queryKey: [...appKey(id), 'registration'],
    queryFn: ({ signal }) => read(call('GET /api/desk/clients/:id', { signal, params: { id } })),
    refetchOnMount: 'always',
  });

export const appErrorsQuery = (id: string) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: [...appKey(id), 'errors'],
    queryFn: ({ pageParam, signal }) =>
      read(
        call('GET /api/desk/clients/:id/errors', {
          signal,
          params: { id },
          query: after(pageParam),
        }),
      ),
    refetchOnMount: 'always',
  });

export const appHistoryQuery = (id: string) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: [...appKey(id), 'history'],
    queryFn: ({ pageParam, signal }) =>
      read(
        call('GET /api/desk/clients/:id/history', {
          signal,
          params: { id },
          query: after(pageParam),
        }),
      ),
    refetchOnMount: 'always',
  });

export const developerRequestsQuery = queryOptions({
  ...once,
  queryKey: ['desk', 'developers'],
  queryFn: ({ signal }) => read(call('GET /api/desk/developers', { signal })),
  refetchOnMount: 'always',
});
