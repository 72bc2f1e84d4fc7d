import { useEffect } from 'react';
import { BrowserRouter, useLocation } from 'react-router-dom';
import { Announcer } from './components/announcer.tsx';
import { ChunkBoundary } from './components/chunk-boundary.tsx';
import { OfflineNotice } from './components/offline-notice.tsx';
import { AppRoutes } from './routes.tsx';
import { appStore } from './state/app-state.ts';
import { useScrollMemory } from './state/scroll-memory.ts';

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
