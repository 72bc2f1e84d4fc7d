import type { Locale } from '@candela/contract';
import type { Brand } from '../../branding/brand/brand.ts';
import { fillText } from '../../branding/brand/brand-texts.ts';
import type { Picture } from '../../branding/picture/picture.ts';
import { textsOf } from '../../branding/texts/texts.ts';
import { type Html, html } from '../../http/html.ts';

export type Theme = keyof Brand['tokens'];

export const themes = ['light', 'dark'] as const satisfies Theme[];

const HEIGHT = 44;
const PADDING = 16;
const GAP = 10;
const MARK = 24;
const FONT_SIZE = 16;

/** An SVG has no layout: the width of its text is estimated by the widest letters of common fonts, in ems. */
const ems: readonly [RegExp, number][] = [
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u, 1],
  [/[ .,:;!'|iljIft]/, 0.36],
  [/[mwMWжшщюмЖШЩЮМ]/, 0.94],
  [/\p{Lu}/u, 0.74],
];
const widthOf = (text: string): number =>
  Math.ceil(
    FONT_SIZE *
      [...text].reduce((sum, letter) => sum + (ems.find(([is]) => is.test(letter))?.[1] ?? 0.67), 0),
  );

const drawLogo = (logo: Picture, surface: string, y: number): Html => {
  const source = `data:${logo.type};base64,${Buffer.from(logo.bytes).toString('base64')}`;
  return html`<rect x="${PADDING - 2}" y="${y - 2}" width="${MARK + 4}" height="${MARK + 4}" rx="6" fill="${surface}"/><image x="${PADDING}" y="${y}" width="${MARK}" height="${MARK}" href="${source}"/>`;
};

/** The lamp, which stands for a brand without a logo. */
const drawLamp = (color: string): Html => {
  const [x, y] = [PADDING + MARK / 2, HEIGHT / 2];
  return html`<circle cx="${x}" cy="${y}" r="11.5" fill="${color}" opacity="0.3"/><circle cx="${x}" cy="${y}" r="8" fill="none" stroke="${color}" stroke-width="2"/><circle cx="${x}" cy="${y}" r="4" fill="${color}"/>`;
};

/** The button by which other apps offer to sign in with the brand: an SVG in the brand's colours for a theme. */
export const drawSignInButton = (
  brand: Brand,
  { theme, locale, logo }: { theme: Theme; locale: Locale; logo?: Picture | undefined },
): string => {
  const { accent, onAccent, surface } = brand.tokens[theme];
  const text = fillText(textsOf(locale).pages.signInWith, { brand: brand.name });
  const textWidth = widthOf(text);
  const width = PADDING + MARK + GAP + textWidth + PADDING;
  const textMiddle = PADDING + MARK + GAP + textWidth / 2;
  const mark = logo ? drawLogo(logo, surface, (HEIGHT - MARK) / 2) : drawLamp(onAccent);
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" xml:lang="${locale}"><title>${text}</title><rect width="${width}" height="${HEIGHT}" rx="10" fill="${accent}"/>${mark}<text x="${textMiddle}" y="${HEIGHT / 2}" dy="0.36em" text-anchor="middle" font-family="system-ui, sans-serif" font-size="${FONT_SIZE}" font-weight="600" fill="${onAccent}">${text}</text></svg>`
    .markup;
};
