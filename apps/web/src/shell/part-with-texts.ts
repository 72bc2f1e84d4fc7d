import type { ComponentType } from 'react';
import { part } from './chunk/part.tsx';
import { loadTextsBeside } from './language/i18n.ts';

/** A component that loads at its first render, together with a group of texts that its page does not have. */
export const partWithTexts = <Props extends object>(
  group: Parameters<typeof loadTextsBeside>[0],
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> =>
  part(async () => {
    const [component] = await Promise.all([load(), loadTextsBeside(group)]);
    return component;
  });
