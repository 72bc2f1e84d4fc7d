import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../shell/api/client.ts';

export const waysQuery = queryOptions({
  queryKey: ['ways'],
  queryFn: ({ signal }) => call('GET /api/ways', { signal }),
});

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => call('GET /api/passkeys', { signal }),
});

export const trustedBrowsersQuery = queryOptions({
  queryKey: ['trusted-browsers'],
  queryFn: ({ signal }) => call('GET /api/trusted-browsers', { signal }),
});

export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => call('GET /api/providers', { signal }),
});
