import { type ComponentType, lazy, useState } from 'react';

const failed = new Set<() => void>();

/** Makes each part that failed to load load again at its next render. */
export const forgetFailures = (): void => {
  for (const renew of failed) renew();
  failed.clear();
};

/** A component that loads at its first render. Unlike `lazy`, it can load again after `forgetFailures`. */
export const part = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> => {
  const make = () =>
    lazy<ComponentType<object>>(async () => {
      try {
        return { default: (await load()) as ComponentType<object> };
      } catch (error) {
        failed.add(renew);
        throw error;
      }
    });
  let late = make();
  const renew = () => {
    late = make();
  };
  return (props) => {
    const [Late] = useState(() => late);
    return <Late {...props} />;
  };
};
