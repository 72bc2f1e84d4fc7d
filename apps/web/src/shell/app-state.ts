import type { Account } from '@candela/contract';
import { useSyncExternalStore } from 'react';
import { createStore } from './store.ts';

/** The application’s own state. Data of the server is in `queryClient`. */
interface AppState {
  /** The account that is signed in, once a page has asked the server for it. */
  userInfo: Account | undefined;
  /** The pages that are marked keep-alive, by the path of their route. */
  keepAliveComponents: readonly string[];
  /** The full paths of keep-alive pages that were visited, the latest at the end. */
  cacheRoutes: readonly string[];
  /** The paths of `cacheRoutes` whose pages are kept in the document. */
  includeComs: readonly string[];
  /** The path of the first page of this visit. */
  indexRouteName: string;
}

const mostKeptPages = 5;

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

/**
 * The state and the five actions that change it.
 * @internal exported for tests
 */
export const createAppStore = () => {
  const { get, set, subscribe } = createStore(empty);
  const change = (part: Partial<AppState>): void => set({ ...get(), ...part });

  return {
    getState: get,
    subscribe,

    /** Records a visit to a full path of the page `component`; a page that is not marked keep-alive is never cached. */
    addCacheRoute: (fullPath: string, component: string): void => {
      const { keepAliveComponents, cacheRoutes, includeComs } = get();
      if (!keepAliveComponents.includes(component)) return;
      change({
        cacheRoutes: withLast(cacheRoutes, fullPath),
        includeComs: withLast(includeComs, fullPath).slice(-mostKeptPages),
      });
    },
    /** Only the first call has an effect. */
    setIndexRouteName: (name: string): void => {
      if (get().indexRouteName === '') change({ indexRouteName: name });
    },
    setUserInfo: (userInfo: Account | undefined): void => change({ userInfo }),
    setKeepAliveComponents: (keepAliveComponents: readonly string[]): void => change({ keepAliveComponents }),
    /** Drops every kept page that is not on screen. */
    clearIncludeComs: (): void => change({ includeComs: [] }),
  };
};

/** The state of this page. */
export const appStore: AppStore = createAppStore();

/** Reads a part of the state. The component renders again when that part changes. */
export const useAppState = <Part>(select: (state: AppState) => Part): Part =>
  useSyncExternalStore(appStore.subscribe, () => select(appStore.getState()));

/** Forgets the signed-in account, and drops the kept pages, which show its data. */
export const forgetAccount = (): void => {
  appStore.setUserInfo(undefined);
  appStore.clearIncludeComs();
};
