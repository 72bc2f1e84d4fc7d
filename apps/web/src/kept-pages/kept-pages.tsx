import { Activity, type ReactNode, useLayoutEffect, useState } from 'react';
import { type Location, Routes } from 'react-router-dom';
import { appStore, useAppState } from '../app-state.ts';
import { ChunkBoundary } from '../chunk/chunk-boundary.tsx';
import { HideContext } from './on-hide.ts';

const fullPathOf = ({ pathname, search }: Location): string => pathname + search;

interface KeptPageProps {
  /** Where the person is, while that is this page. */
  current: Location | undefined;
  routes: ReactNode;
}

/** One page at the location where it was last shown: while hidden it knows nothing of where the person went. */
const KeptPage = ({ current, routes }: KeptPageProps) => {
  const [location, setLocation] = useState(current);
  if (current && current !== location) setLocation(current);
  const [hideActions] = useState(() => new Set<() => void>());
  const isVisible = current !== undefined;

  useLayoutEffect(() => {
    if (!isVisible) return;
    return () => {
      for (const run of [...hideActions]) run();
    };
  }, [isVisible, hideActions]);

  return (
    <Activity mode={isVisible ? 'visible' : 'hidden'}>
      <HideContext value={hideActions}>
        <ChunkBoundary>{location && <Routes location={location}>{routes}</Routes>}</ChunkBoundary>
      </HideContext>
    </Activity>
  );
};

interface KeptPagesProps {
  /** Where the person is, if that is one of these pages, and its name. */
  current: { location: Location; component: string } | undefined;
  /** The routes of the pages marked keep-alive. */
  children: ReactNode;
}

/**
 * The page on screen and, hidden, those used before it: what was typed and how far was scrolled is there on
 * Back. Their effects end while they are hidden, so lists load anew when they are shown.
 */
export const KeptPages = ({ current, children }: KeptPagesProps) => {
  const included = useAppState(({ includeComs }) => includeComs);
  const path = current && fullPathOf(current.location);
  const component = current?.component;

  useLayoutEffect(() => {
    if (path !== undefined && component !== undefined) appStore.addCacheRoute(path, component);
  }, [path, component]);

  // In an order that never changes, so that no page moves within the document.
  const paths = [...new Set([...included, ...(path === undefined ? [] : [path])])].sort();
  return paths.map((each) => (
    <KeptPage key={each} current={each === path ? current?.location : undefined} routes={children} />
  ));
};
