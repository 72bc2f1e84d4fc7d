import { useSyncExternalStore } from 'react';

/** A value outside the components, which they can subscribe to. */
export interface Store<Value> {
  get: () => Value;
  /** Calls every listener once. */
  set: (value: Value) => void;
  /** Calls `listener` after each change until the returned function is called. */
  subscribe: (listener: () => void) => () => void;
}

export const createStore = <Value>(initial: Value): Store<Value> => {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
};

/** The value of a store. The component renders again when the value changes. */
export const useStore = <Value>({ get, subscribe }: Store<Value>): Value =>
  useSyncExternalStore(subscribe, get);
