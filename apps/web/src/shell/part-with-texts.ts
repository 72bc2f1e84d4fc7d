import type { ComponentType, ReactNode } from 'react';
import { type Part, part } from './chunk/part.tsx';
import { loadTextsBeside } from './language/i18n.ts';

/** A part that loads together with a group of texts that its page does not have. */
export const partWithTexts = <Props extends object>(
  group: Parameters<typeof loadTextsBeside>[0],
  bringIt: () => Promise<ComponentType<Props>>,
  waiting?: (props: Props) => ReactNode,
): Part<Props> =>
  part(async () => {
    const [component] = await Promise.all([bringIt(), loadTextsBeside(group)]);
    return component;
  }, waiting);
