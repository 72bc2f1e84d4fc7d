import { infiniteQueryOptions, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError, call, signInAgain } from '../../shell/api/client.ts';
import { isDirty } from '../../shell/lost-chunk.ts';

const signedOut = (error: Error): boolean => error instanceof ApiError && error.code === 'not_signed_in';
/** Whether a dialog or a form holds input. Its submit reports a lost session itself, and so keeps the input. */
const isTyping = (): boolean =>
  [...document.querySelectorAll('[role=dialog], form[data-edited]')].some((form) => isDirty(form));

const onError = (error: Error): void => {
  if (signedOut(error) && !isTyping()) signInAgain();
};

/** The account’s data in this browser. It dies with the page: signing out is a navigation. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  defaultOptions: {
    queries: {
      // A fetch fails at once when offline, instead of waiting for the network.
      networkMode: 'always',
      refetchOnReconnect: 'always',
      // An approval in another tab changes the session's cookie. A request that left with the former cookie is
      // refused, so only a second refusal means that the session has ended. The delay lets the new cookie arrive.
      retry: (count, error) =>
        count < 1 &&
        error instanceof ApiError &&
        (error.status >= 500 || error.status === 0 || signedOut(error)),
      retryDelay: 800,
      staleTime: 10_000,
      // A kept page shows its former data when it comes back.
      gcTime: Number.POSITIVE_INFINITY,
    },
  },
});

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => call('GET /api/account', { signal }),
});

/** For how long an open page looks for digits, and how often. */
const DIGITS = { everyMs: 10_000, times: 60 } as const;

/** The two digits that the person reads to whoever answers their call, once these were asked for. */
export const callerDigitsQuery = queryOptions({
  queryKey: ['caller-digits'],
  queryFn: ({ signal }) => call('GET /api/account/caller-digits', { signal }),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.dataUpdateCount < DIGITS.times ? DIGITS.everyMs : false),
});

/** The file with everything about the person. While it is prepared, the page asks again. */
export const exportQuery = queryOptions({
  queryKey: ['export'],
  queryFn: ({ signal }) => call('GET /api/export', { signal }),
  refetchInterval: ({ state }) => (state.data?.state === 'preparing' ? 5_000 : false),
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
  queryKey: ['authorizations', 'live'],
  queryFn: ({ pageParam, signal }) =>
    call('GET /api/authorizations', { signal, query: pageParam ? { after: pageParam } : {} }),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next,
  refetchOnMount: 'always',
});

/** Links that ended, beside those that live. */
export const endedAuthorizationsQuery = infiniteQueryOptions({
  queryKey: ['authorizations', 'ended'],
  queryFn: ({ pageParam, signal }) =>
    call('GET /api/authorizations/ended', { signal, query: pageParam ? { after: pageParam } : {} }),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next,
  refetchOnMount: 'always',
});

/** The apps that the account develops. */
export const clientsQuery = infiniteQueryOptions({
  queryKey: ['clients'],
  queryFn: ({ pageParam, signal }) =>
    call('GET /api/clients', { signal, query: pageParam ? { after: pageParam } : {} }),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next,
  refetchOnMount: 'always',
});
