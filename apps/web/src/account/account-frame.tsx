import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PageFrame } from '../components/page-frame.tsx';
import { Toast } from '../components/toast.tsx';
import { accountQuery, createQueryClient } from './queries.ts';

const Frame = () => {
  const { data } = useQuery(accountQuery);
  return (
    <PageFrame account={data && { name: data.nickname, picture: data.avatar }}>
      <Toast />
    </PageFrame>
  );
};

/** What the pages of a signed-in account share: their data, the bar, the messages. */
export const AccountFrame = () => {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <Frame />
    </QueryClientProvider>
  );
};
