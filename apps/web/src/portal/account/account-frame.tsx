import { LEAVING_PAGE } from '@candela/contract/pages';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Outlet } from 'react-router-dom';
import { dropFarewell } from '../../shell/api/farewell.ts';
import { appStore } from '../../shell/app-state.ts';
import { Toast } from '../components/toast.tsx';
import { accountQuery, queryClient } from './queries.ts';
import { StepUpGate } from './step-up-gate.tsx';
import { usePainted } from './use-painted.ts';

const Frame = () => {
  // The page's own request goes first: the request for the account waits for the first paint.
  const painted = usePainted();
  const { data } = useQuery({ ...accountQuery, enabled: painted });
  useEffect(() => {
    if (!data) return;
    dropFarewell();
    const before = appStore.getState().userInfo;
    // Another account signed in, in another tab: the reload drops all data and input of the former account.
    if (before && before.id !== data.id) location.reload();
    else appStore.setUserInfo(data);
    // One question, whichever page was opened.
    if (data.leavingAt) location.replace(LEAVING_PAGE);
  }, [data]);
  return (
    <>
      <Outlet />
      <StepUpGate />
      <Toast />
    </>
  );
};

/** The frame of the pages of a signed-in account: provides the query client, the account and the notices. */
export const AccountFrame = () => (
  <QueryClientProvider client={queryClient}>
    <Frame />
  </QueryClientProvider>
);
