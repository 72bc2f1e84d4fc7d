import { expect, test, vi } from 'vitest';
import { createStore } from './store.ts';

test('each listener hears of each change until it leaves', () => {
  const store = createStore(1);
  const [stays, leaves] = [vi.fn(), vi.fn()];
  store.subscribe(stays);
  const leave = store.subscribe(leaves);
  store.set(2);
  leave();
  store.set(3);
  expect(store.get()).toBe(3);
  expect(stays).toHaveBeenCalledTimes(2);
  expect(leaves).toHaveBeenCalledTimes(1);
});

test('a listener finds the new value', () => {
  const store = createStore('before');
  const seen: string[] = [];
  store.subscribe(() => seen.push(store.get()));
  store.set('after');
  expect(seen).toEqual(['after']);
});
