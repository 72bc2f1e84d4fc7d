import type { Account } from '@candela/contract';
import { useSyncExternalStore } from 'react';

/** What the application remembers beside its pages; the server's data is not here. */
interface AppState {
  /** Who is signed in, as soon as a page has asked. */
  userInfo: Account | undefined;
  /** The pages that are marked keep-alive, by the path of their route. */
  keepAliveComponents: readonly string[];
  /** Full paths of such pages that were visited, the one used last at the end. */
  cacheRoutes: readonly string[];
  /** Those of them whose pages are kept. */
  includeComs: readonly string[];
  /** The path that the visit began with. */
  indexRouteName: string;
}

/** How many pages are kept at most. */
const keptPages = 5;

const empty: AppState = {
  userInfo: undefined,
  keepAliveComponents: [],
  cacheRoutes: [],
  includeComs: [],
  indexRouteName: '',
};

const withLast = (list: readonly string[], item: string): readonly string[] =>
  list.at(-1) === item ? list : [...list.filter((other) => other !== item), item];

export type AppStore = ReturnType<typeof createAppStore>;

/** The state and the five actions that change it. */
export const createAppStore = () => {
  let state = empty;
  const listeners = new Set<() => void>();
  const change = (part: Partial<AppState>): void => {
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  };

  return {
    getState: (): AppState => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },

    /** Notes that the page of `component` is used at this full path; one that is not marked is never cached. */
    addCacheRoute: (fullPath: string, component: string): void => {
      if (!state.keepAliveComponents.includes(component)) return;
      change({
        cacheRoutes: withLast(state.cacheRoutes, fullPath),
        includeComs: withLast(state.includeComs, fullPath).slice(-keptPages),
      });
    },
    /** Set only once. */
    setIndexRouteName: (name: string): void => {
      if (state.indexRouteName === '') change({ indexRouteName: name });
    },
    setUserInfo: (userInfo: Account | undefined): void => change({ userInfo }),
    setKeepAliveComponents: (keepAliveComponents: readonly string[]): void => change({ keepAliveComponents }),
    /** Lets go of every page that is not on screen. */
    clearIncludeComs: (): void => change({ includeComs: [] }),
  };
};

/** The state of this page. */
export const appStore: AppStore = createAppStore();

/** A part of the state, and a new drawing whenever it changes. */
export const useAppState = <Part>(select: (state: AppState) => Part): Part =>
  useSyncExternalStore(appStore.subscribe, () => select(appStore.getState()));

/** Nothing of the account stays behind: no name, no page of it. */
export const forgetAccount = (): void => {
  appStore.setUserInfo(undefined);
  appStore.clearIncludeComs();
};
