import { useEffect, useState } from 'react';

/** The first text or picture (W3C Paint Timing). */
const PAINT = 'first-contentful-paint';

/** False until the browser has painted the page, or a second has passed. */
export const usePainted = (): boolean => {
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
