import { useEffect, useSyncExternalStore } from 'react';
import { type Loss, serverAnswers } from '../bring.ts';
import { createStore, useStore } from '../store.ts';

/** A thing that a person asked for and that did not load. The page on screen stays. */
export interface Waiting {
  why: Loss | 'language';
  again: () => void;
}

const waiting = createStore<Waiting | undefined>(undefined);

/** Shows the failed load with a button to try again. Without a network, `again` runs once the network is back. */
export const waitFor = (what: Waiting): void => waiting.set(what);

/** Ends the waiting, after the load succeeded or the person went elsewhere. */
export const settle = (): void => {
  if (waiting.get()) waiting.set(undefined);
};

export const useWaiting = (): Waiting | undefined => useStore(waiting);

addEventListener('online', () => {
  const { why, again } = waiting.get() ?? {};
  if (why === 'unreachable' || why === 'language') again?.();
});

const subscribeToNetwork = (listener: () => void) => {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
};

/** Whether the browser has a network. The server may still be out of reach. */
export const useOnline = (): boolean => useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);

/** Calls `run` each time the network comes back. */
export const useOnReconnect = (run: () => void): void => {
  useEffect(() => {
    addEventListener('online', run);
    return () => removeEventListener('online', run);
  }, [run]);
};

/** Leaves the page once the server answers. Earlier, the browser would show its own error page. */
export const leaveWhenReachable = async (leave: () => void): Promise<void> => {
  if (await serverAnswers()) leave();
  else waitFor({ why: 'unreachable', again: () => void leaveWhenReachable(leave) });
};
