import { useEffect } from 'react';

/** Lets the browser ask before it leaves the page. */
export const useLeaveQuestion = (): void => {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
};
