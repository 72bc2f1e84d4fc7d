import { type ComponentType, lazy, useState } from 'react';

const failed = new Set<() => void>();

/** What could not be loaded is asked for again when it is next drawn. */
export const forgetFailures = (): void => {
  for (const renew of failed) renew();
  failed.clear();
};

/** A component that is loaded when it is first drawn: `lazy`, but for `forgetFailures`. */
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
