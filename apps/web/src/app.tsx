import { useEffect } from 'react';
import { BrowserRouter, useLocation } from 'react-router-dom';
import { AppRoutes } from './routes.tsx';
import { appStore } from './shell/app-state.ts';
import { ChunkBoundary } from './shell/chunk/chunk-boundary.tsx';
import { Announcer } from './shell/components/announcer.tsx';
import { OfflineNotice } from './shell/connection/offline-notice.tsx';
import { useScrollMemory } from './shell/navigation/scroll-memory.ts';

const Pages = () => {
  const { pathname } = useLocation();
  useScrollMemory();
  useEffect(() => appStore.setIndexRouteName(pathname), [pathname]);
  return (
    <ChunkBoundary resetKey={pathname}>
      <AppRoutes />
    </ChunkBoundary>
  );
};

export const App = () => (
  <BrowserRouter>
    <OfflineNotice />
    <Pages />
    <Announcer />
  </BrowserRouter>
);
