import { createContext, useContext, useLayoutEffect, useRef } from 'react';

/** The actions to run when the surrounding page is hidden. */
export const HideContext = createContext(new Set<() => void>());

/** Runs an action when the surrounding page is hidden, but not when it unmounts. */
export const useOnHide = (action: () => void): void => {
  const actions = useContext(HideContext);
  const latest = useRef(action);
  useLayoutEffect(() => {
    latest.current = action;
  });
  useLayoutEffect(() => {
    const run = () => latest.current();
    actions.add(run);
    // Hiding the page ends this effect in the same commit, so the action is removed only afterwards.
    return () => queueMicrotask(() => actions.delete(run));
  }, [actions]);
};
