import { infiniteQueryOptions, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError, call, signInAgain } from '../api/client.ts';
import { isDirty } from '../lost-chunk.ts';

const signedOut = (error: Error): boolean => error instanceof ApiError && error.code === 'not_signed_in';
/** Whoever is typing in a dialog is told when it is sent: that keeps what was typed. */
const isTyping = (): boolean =>
  [...document.querySelectorAll('[role=dialog]')].some((dialog) => isDirty(dialog));

const onError = (error: Error): void => {
  if (signedOut(error) && !isTyping()) signInAgain();
};

/** The account’s data in this browser. It dies with the page: signing out is a navigation. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  defaultOptions: {
    queries: {
      // A failed fetch is told as such at once, not kept waiting for the network.
      networkMode: 'always',
      refetchOnReconnect: 'always',
      retry: (count, error) =>
        count < 1 && error instanceof ApiError && (error.status >= 500 || error.status === 0),
      retryDelay: 800,
      staleTime: 10_000,
      // A page that was hidden comes back with what it showed.
      gcTime: Number.POSITIVE_INFINITY,
    },
  },
});

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => call('GET /api/account', { signal }),
});

export const sessionsQuery = infiniteQueryOptions({
  queryKey: ['sessions'],
  queryFn: ({ pageParam, signal }) =>
    call('GET /api/sessions', { signal, query: pageParam ? { after: pageParam } : {} }),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next,
  refetchOnMount: 'always',
});

export const authorizationsQuery = infiniteQueryOptions({
  queryKey: ['authorizations'],
  queryFn: ({ pageParam, signal }) =>
    call('GET /api/authorizations', { signal, query: pageParam ? { after: pageParam } : {} }),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next,
  refetchOnMount: 'always',
});
