import type { ThemeTokens } from './brand.ts';

type Color = Exclude<keyof ThemeTokens, 'glow'>;

/** WCAG 2.2: success criterion 1.4.3 for text, 1.4.11 for the borders of fields. */
const TEXT = 4.5;
const CONTROL = 3;

/** Colours that stand on each other, front before back, with the least contrast that they need. */
const pairs: readonly [Color, Color, number][] = [
  ['ink', 'page', TEXT],
  ['ink', 'surface', TEXT],
  ['ink', 'soft', TEXT],
  ['muted', 'page', TEXT],
  ['muted', 'surface', TEXT],
  ['accent', 'page', TEXT],
  ['accent', 'surface', TEXT],
  ['accent', 'soft', TEXT],
  ['onAccent', 'accent', TEXT],
  ['danger', 'page', TEXT],
  ['danger', 'surface', TEXT],
  ['ok', 'page', TEXT],
  ['ok', 'surface', TEXT],
  ['fieldBorder', 'page', CONTROL],
  ['fieldBorder', 'surface', CONTROL],
];

/** Relative luminance of `#rgb` or `#rrggbb` (WCAG 2.2). */
const luminanceOf = (color: string): number => {
  const digits = color.length === 4 ? color.replaceAll(/[^#]/g, '$&$&') : color;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Contrast ratio of two colours `#rgb` or `#rrggbb`, from 1 to 21. */
const contrastOf = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

/** Finds the pairs of colours of a theme that some people could not read. */
export const findContrastProblems = (tokens: ThemeTokens): string[] =>
  pairs.flatMap(([front, back, least]) => {
    const contrast = contrastOf(tokens[front], tokens[back]);
    if (contrast >= least) return [];
    // Rounded down: a contrast that is refused must not look sufficient.
    const ratio = Math.floor(contrast * 100) / 100;
    return `${front} ${tokens[front]} on ${back} ${tokens[back]} has a contrast of ${ratio}, less than ${least}`;
  });
