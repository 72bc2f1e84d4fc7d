import { createContext, useContext, useLayoutEffect, useRef } from 'react';

/** What is to be done when the page around is hidden. */
export const HideContext = createContext(new Set<() => void>());

/** Runs when the page around this component is hidden rather than taken down. */
export const useOnHide = (action: () => void): void => {
  const actions = useContext(HideContext);
  const latest = useRef(action);
  useLayoutEffect(() => {
    latest.current = action;
  });
  useLayoutEffect(() => {
    const run = () => latest.current();
    actions.add(run);
    // Effects end as the page is hidden, in the same breath: only afterwards is it too late.
    return () => queueMicrotask(() => actions.delete(run));
  }, [actions]);
};
