import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

const positions = new Map<string, number>();

/**
 * Scrolls a new page to its top, and restores the scroll position on Back. The browser restores the position itself,
 * but before React has rendered the page of the history entry.
 */
export const useScrollMemory = (): void => {
  const location = useLocation();
  const navigation = useNavigationType();
  const shown = useRef(location);
  const moving = useRef(false);

  useEffect(() => {
    // Between a traversal and the render of its page the browser scrolls the former page: ignore those events.
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
