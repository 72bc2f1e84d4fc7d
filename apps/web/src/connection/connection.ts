import { useEffect, useSyncExternalStore } from 'react';
import { type Loss, serverAnswers } from '../bring.ts';

/** Something that a person asked for and that could not be had; the page stays as it is. */
export interface Waiting {
  why: Loss | 'language';
  again: () => void;
}

let waiting: Waiting | undefined;
const listeners = new Set<() => void>();

const set = (next: Waiting | undefined): void => {
  waiting = next;
  for (const listener of listeners) listener();
};

/** Tells what waits, with a way to try again; what only lacks the network is tried when that is back. */
export const waitFor = (what: Waiting): void => set(what);

/** Nothing waits any more: it came, or the person went on to something else. */
export const settle = (): void => {
  if (waiting) set(undefined);
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export const useWaiting = (): Waiting | undefined => useSyncExternalStore(subscribe, () => waiting);

addEventListener('online', () => {
  if (waiting && (waiting.why === 'unreachable' || waiting.why === 'language')) waiting.again();
});

const subscribeToNetwork = (listener: () => void) => {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
};

/** Whether the browser has a network; that a server can be reached by it is not said. */
export const useOnline = (): boolean => useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);

/** Runs when the network is back. */
export const useOnReconnect = (run: () => void): void => {
  useEffect(() => {
    addEventListener('online', run);
    return () => removeEventListener('online', run);
  }, [run]);
};

/** Leaves the page once the server answers: without it the browser's own error page would take its place. */
export const leaveWhenReachable = async (leave: () => void): Promise<void> => {
  if (await serverAnswers()) leave();
  else waitFor({ why: 'unreachable', again: () => void leaveWhenReachable(leave) });
};
