import { LEAVING_PAGE } from '@candela/contract/pages';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Outlet } from 'react-router-dom';
import { appStore } from '../../shell/app-state.ts';
import { Toast } from '../components/toast.tsx';
import { accountQuery, queryClient } from './queries.ts';
import { StepUpGate } from './step-up-gate.tsx';

/** The first text or picture (W3C Paint Timing). */
const PAINT = 'first-contentful-paint';

/** False until the browser has painted the page, or a second has passed. */
const usePainted = (): boolean => {
  const [painted, setPainted] = useState(() => performance.getEntriesByName(PAINT).length > 0);
  useEffect(() => {
    if (painted || !PerformanceObserver.supportedEntryTypes.includes('paint')) return setPainted(true);
    const observer = new PerformanceObserver((entries) => {
      if (entries.getEntriesByName(PAINT).length > 0) setPainted(true);
    });
    observer.observe({ type: 'paint', buffered: true });
    // A page that is not shown is not painted.
    const late = setTimeout(() => setPainted(true), 1_000);
    return () => {
      observer.disconnect();
      clearTimeout(late);
    };
  }, [painted]);
  return painted;
};

const Frame = () => {
  // The page's own request goes first: the request for the account waits for the first paint.
  const painted = usePainted();
  const { data } = useQuery({ ...accountQuery, enabled: painted });
  useEffect(() => {
    if (!data) return;
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
