import type { ActivityGroup, DeskAccount, RecordAction } from '@candela/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { queryClient } from '../portal/account/queries.ts';
import { withStepUp } from '../portal/account/step-up.ts';
import { ApiError, call, serverNow } from '../shell/api/client.ts';

/** A person's data leaves this browser some minutes after the page that showed it. */
const gcTime = 5 * 60_000;

/** Every look is counted and recorded: none happens unless somebody asks for it. */
export const once = {
  gcTime,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;

/** The same of a list that comes page by page. */
export const paged = {
  ...once,
  initialPageParam: '',
  getNextPageParam: ({ next }: { next?: string | undefined }) => next,
};

/** What asks for the page after another one; before the first there is none. */
export const after = (page: string): { after?: string } => (page ? { after: page } : {});

export const deskQuery = queryOptions({
  queryKey: ['desk', 'session'],
  queryFn: ({ signal }) => call('GET /api/desk', { signal }),
});

/** For how long the desk stays open without use. */
const IDLE_MS = 30 * 60_000;

/** Notes that the desk was used: by that its end moves on. */
const noteUse = (): void => {
  queryClient.setQueryData(deskQuery.queryKey, (desk) => {
    if (!desk?.open) return desk;
    const end = Math.min(Date.parse(desk.open.endsAt), serverNow() + IDLE_MS);
    return { ...desk, open: { ...desk.open, idleEndsAt: new Date(end).toISOString() } };
  });
};

const isClosed = (error: unknown): boolean => error instanceof ApiError && error.code === 'desk_closed';

/** Codes after which the desk may be closed, or the role gone or another. */
const doubtful: ReadonlySet<string> = new Set(['desk_closed', 'not_found', 'role_insufficient']);

/** Reads something of the desk. Where the desk has closed meanwhile, or the role is gone, its frame says so. */
export const read = async <Result>(request: Promise<Result>): Promise<Result> => {
  try {
    const result = await request;
    noteUse();
    return result;
  } catch (error) {
    if (error instanceof ApiError && doubtful.has(error.code))
      void queryClient.invalidateQueries({ queryKey: deskQuery.queryKey });
    throw error;
  }
};

/** Opens the desk in this browser, by a fresh proof. */
export const openDesk = async (): Promise<void> => {
  const opened = await withStepUp(() => call('POST /api/desk/session'));
  queryClient.setQueryData(deskQuery.queryKey, opened);
};

/** Does something at the desk, by a fresh proof where it takes one. A desk that has closed meanwhile is opened. */
export const act = async <Result>(request: () => Promise<Result>): Promise<Result> => {
  try {
    const result = await withStepUp(request);
    noteUse();
    return result;
  } catch (error) {
    if (!isClosed(error)) throw error;
    await openDesk();
    return await withStepUp(request);
  }
};

export const deskAccountQuery = (id: string) =>
  queryOptions({
    ...once,
    queryKey: ['desk', 'account', id],
    queryFn: ({ signal }) => read(call('GET /api/desk/accounts/:id', { signal, params: { id } })),
  });

/** What happened to the account. The page of the account has brought the first items of all groups. */
export const deskActivityQuery = (account: DeskAccount, group: ActivityGroup | 'all') =>
  infiniteQueryOptions({
    ...paged,
    queryKey: ['desk', 'account', account.id, 'activity', group, account.activity],
    queryFn: ({ pageParam, signal }) =>
      read(
        call('GET /api/desk/accounts/:id/activity', {
          signal,
          params: { id: account.id },
          query: { ...(group !== 'all' && { kind: group }), ...after(pageParam) },
        }),
      ),
    ...(group === 'all' && { initialData: { pages: [account.activity], pageParams: [''] } }),
  });

export const deskMessagesQuery = (account: DeskAccount) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: ['desk', 'account', account.id, 'messages', account.messages],
    queryFn: ({ pageParam, signal }) =>
      read(
        call('GET /api/desk/accounts/:id/messages', {
          signal,
          params: { id: account.id },
          query: after(pageParam),
        }),
      ),
    initialData: { pages: [account.messages], pageParams: [''] },
  });

/** What of the record is shown; an absent field leaves all of it. */
export interface RecordFilter {
  action?: RecordAction | undefined;
  /** The account id of a member of staff. */
  staff?: string | undefined;
  /** The id of the account that it was about. */
  account?: string | undefined;
}

export const recordQuery = (filter: RecordFilter) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: ['desk', 'record', filter],
    queryFn: ({ pageParam, signal }) =>
      read(
        call('GET /api/desk/record', {
          signal,
          query: { ...filter, ...after(pageParam) },
        }),
      ),
    refetchOnMount: 'always',
  });

export const approvalsQuery = queryOptions({
  queryKey: ['desk', 'approvals'],
  queryFn: ({ signal }) => read(call('GET /api/desk/approvals', { signal })),
  gcTime,
  // Asking again and again would keep the desk open while nobody uses it.
  staleTime: 60_000,
});
