import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Outlet } from 'react-router-dom';
import { Toast } from '../components/toast.tsx';
import { appStore } from '../state/app-state.ts';
import { accountQuery, queryClient } from './queries.ts';
import { StepUpGate } from './step-up-gate.tsx';

const Frame = () => {
  const { data } = useQuery(accountQuery);
  useEffect(() => {
    if (!data) return;
    const before = appStore.getState().userInfo;
    // Signed in as somebody else, in another tab: nothing of the former account stays, typed or kept.
    if (before && before.id !== data.id) location.reload();
    else appStore.setUserInfo(data);
  }, [data]);
  return (
    <>
      <Outlet />
      <StepUpGate />
      <Toast />
    </>
  );
};

/** What the pages of a signed-in account share: their data, who it is, the messages. */
export const AccountFrame = () => (
  <QueryClientProvider client={queryClient}>
    <Frame />
  </QueryClientProvider>
);
