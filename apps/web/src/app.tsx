import { useEffect } from 'react';
import { BrowserRouter, useLocation } from 'react-router-dom';
import { appStore } from './app-state.ts';
import { ChunkBoundary } from './chunk/chunk-boundary.tsx';
import { Announcer } from './components/announcer.tsx';
import { OfflineNotice } from './connection/offline-notice.tsx';
import { useScrollMemory } from './navigation/scroll-memory.ts';
import { AppRoutes } from './routes.tsx';

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
