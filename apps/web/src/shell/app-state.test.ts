import type { Account } from '@candela/contract';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type AppStore, createAppStore } from './app-state.ts';

const lena: Account = { id: 'lena', nickname: 'Lena', locale: 'en', hasPassword: true };

describe('the state of the application', () => {
  let store: AppStore;
  beforeEach(() => {
    store = createAppStore();
    store.setKeepAliveComponents(['/index', '/tokens', '/license']);
  });

  test('begins empty', () => {
    expect(createAppStore().getState()).toEqual({
      userInfo: undefined,
      keepAliveComponents: [],
      cacheRoutes: [],
      includeComs: [],
      indexRouteName: '',
    });
  });

  test('the index route is the first that is set', () => {
    store.setIndexRouteName('/tokens');
    store.setIndexRouteName('/index');
    expect(store.getState().indexRouteName).toBe('/tokens');
  });

  test('the pages marked keep-alive are replaced as a whole', () => {
    store.setKeepAliveComponents(['/sessions']);
    expect(store.getState().keepAliveComponents).toEqual(['/sessions']);
  });

  test('a route is cached by its full path, once, the last used at the end', () => {
    store.addCacheRoute('/license', '/license');
    store.addCacheRoute('/license?version=1', '/license');
    store.addCacheRoute('/index', '/index');
    store.addCacheRoute('/license', '/license');
    const order = ['/license?version=1', '/index', '/license'];
    expect(store.getState()).toMatchObject({ cacheRoutes: order, includeComs: order });
  });

  test('a page that is not marked is never cached', () => {
    store.addCacheRoute('/login?interaction=1', '/login');
    expect(store.getState()).toMatchObject({ cacheRoutes: [], includeComs: [] });
  });

  test('of many pages the five used last are kept', () => {
    for (const version of [1, 2, 3, 4, 5]) store.addCacheRoute(`/license?version=${version}`, '/license');
    store.addCacheRoute('/license?version=1', '/license');
    store.addCacheRoute('/license?version=6', '/license');
    expect(store.getState().includeComs.map((path) => path.at(-1))).toEqual(['3', '4', '5', '1', '6']);
    expect(store.getState().cacheRoutes).toHaveLength(6);
  });

  test('clearing drops the kept pages and leaves the rest', () => {
    store.setUserInfo(lena);
    store.addCacheRoute('/index', '/index');
    store.clearIncludeComs();
    expect(store.getState()).toMatchObject({ includeComs: [], cacheRoutes: ['/index'], userInfo: lena });
  });

  test('listeners hear of each change until they leave', () => {
    const listener = vi.fn();
    const leave = store.subscribe(listener);
    store.setUserInfo(lena);
    expect(store.getState().userInfo).toBe(lena);
    leave();
    store.setUserInfo(undefined);
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
