import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

/** A component whose code is a chunk of its own. */
export interface Part<Props extends object> {
  (props: Props): ReactNode;
  /** Loads the part before its first render, which then shows it at once; undefined once it is loaded. */
  load(): Promise<unknown> | undefined;
}

/**
 * A component that loads after its first render, and again where that failed. `lazy` would show what it has loaded up
 * to 300 ms late: React holds back what replaces a fallback, so that a page does not flicker. A navigation to a part
 * goes by `openPage`, which loads it first.
 * @param waiting what is shown meanwhile
 */
export const part = <Props extends object>(
  bringIt: () => Promise<ComponentType<Props>>,
  waiting?: (props: Props) => ReactNode,
): Part<Props> => {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<unknown> | undefined;
  const load = () => {
    if (loaded) return undefined;
    loading ??= bringIt()
      .then((component) => {
        loaded = component;
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };
  const Part = (props: Props) => {
    const [arrived, setShown] = useState(() => loaded);
    // It may have loaded while the page was hidden.
    const Shown = arrived ?? loaded;
    const [failure, setFailure] = useState<{ error: unknown }>();
    useEffect(() => {
      if (Shown) return undefined;
      let isHere = true;
      Promise.resolve(load()).then(
        () => isHere && setShown(() => loaded),
        (error: unknown) => isHere && setFailure({ error }),
      );
      return () => {
        isHere = false;
      };
    }, [Shown]);
    if (failure) throw failure.error;
    return Shown ? <Shown {...props} /> : waiting?.(props);
  };
  return Object.assign(Part, { load });
};

/** Loads parts that will soon be shown. The render of one that did not load reports it. */
export const prepare = (...parts: readonly Pick<Part<never>, 'load'>[]): void => {
  for (const { load } of parts) load()?.catch(() => undefined);
};
