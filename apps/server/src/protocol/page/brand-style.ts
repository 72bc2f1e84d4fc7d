import type { Brand, ThemeTokens } from '../../branding/brand/brand.ts';

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const declarations = (tokens: ThemeTokens) =>
  Object.entries(tokens)
    .map(([name, value]) => `--${kebab(name)}:${value}`)
    .join(';');

/** The colours of a brand as custom properties, for light and dark themes. */
export const brandStyle = ({ tokens }: Pick<Brand, 'tokens'>): string =>
  `:root{${declarations(tokens.light)}}@media (prefers-color-scheme:dark){:root{${declarations(tokens.dark)}}}`;
