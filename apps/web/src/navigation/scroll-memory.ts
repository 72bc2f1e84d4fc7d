import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

const positions = new Map<string, number>();

/**
 * A new page begins at its top; Back finds a page where it was left. The browser restores within a page and
 * after a load by itself, but it does so before React has put the page of that entry back.
 */
export const useScrollMemory = (): void => {
  const location = useLocation();
  const navigation = useNavigationType();
  const shown = useRef(location);
  const moving = useRef(false);

  useEffect(() => {
    // What scrolls between a traversal and the drawing of its page is the browser, on the page being left.
    const onTraversal = () => {
      moving.current = true;
    };
    const onScroll = () => {
      if (!moving.current) positions.set(shown.current.key, scrollY);
    };
    addEventListener('popstate', onTraversal);
    addEventListener('scroll', onScroll, { passive: true });
    return () => {
      removeEventListener('popstate', onTraversal);
      removeEventListener('scroll', onScroll);
    };
  }, []);

  useLayoutEffect(() => {
    const left = shown.current;
    shown.current = location;
    moving.current = false;
    if (left.pathname === location.pathname && left.search === location.search) return;
    scrollTo(0, navigation === 'POP' ? (positions.get(location.key) ?? 0) : 0);
  }, [location, navigation]);
};
