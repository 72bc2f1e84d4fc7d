import { Activity, type ReactNode, useLayoutEffect, useState } from 'react';
import { type Location, Routes } from 'react-router-dom';
import { appStore, useAppState } from '../../shell/app-state.ts';
import { ChunkBoundary } from '../../shell/chunk/chunk-boundary.tsx';
import { HideContext } from '../../shell/kept-pages/on-hide.ts';

const fullPathOf = ({ pathname, search }: Location): string => pathname + search;

interface KeptPageProps {
  /** The current location while this page is on screen; undefined while it is hidden. */
  current: Location | undefined;
  routes: ReactNode;
}

/** A page at the location where it was last shown. A hidden page does not see the current location. */
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

export interface KeptPagesProps {
  /** The current location and the name of its page; undefined when that page is not keep-alive. */
  current: { location: Location; component: string } | undefined;
  /** The routes of the pages marked keep-alive. */
  children: ReactNode;
}

/**
 * The page on screen and, hidden, the pages used before it. Back finds their input and their scroll position. The
 * effects of a hidden page end, so its lists load anew when it is shown.
 */
export const KeptPages = ({ current, children }: KeptPagesProps) => {
  const included = useAppState(({ includeComs }) => includeComs);
  const path = current && fullPathOf(current.location);
  const component = current?.component;

  useLayoutEffect(() => {
    if (path !== undefined && component !== undefined) appStore.addCacheRoute(path, component);
  }, [path, component]);

  // A stable order, so that no page moves within the document.
  const paths = [...new Set([...included, ...(path === undefined ? [] : [path])])].sort();
  return paths.map((each) => (
    <KeptPage key={each} current={each === path ? current?.location : undefined} routes={children} />
  ));
};
