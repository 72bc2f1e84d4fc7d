import { useEffect, useRef } from 'react';
import { BrowserRouter, useLocation, useNavigationType } from 'react-router-dom';
import { Announcer } from './components/announcer.tsx';
import { ChunkBoundary } from './components/chunk-boundary.tsx';
import { AppRoutes } from './routes.tsx';

const Pages = () => {
  const { pathname } = useLocation();
  const navigation = useNavigationType();
  const previous = useRef(pathname);
  useEffect(() => {
    // The browser restores the scroll position on Back by itself.
    if (previous.current !== pathname && navigation !== 'POP') scrollTo(0, 0);
    previous.current = pathname;
  }, [pathname, navigation]);
  return (
    <ChunkBoundary resetKey={pathname}>
      <AppRoutes />
    </ChunkBoundary>
  );
};

export const App = () => (
  <BrowserRouter>
    <Pages />
    <Announcer />
  </BrowserRouter>
);
