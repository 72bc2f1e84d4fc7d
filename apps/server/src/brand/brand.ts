import type { Locale } from '@candela/contract';
import type { BrandLegal } from '../legal/brand-legal.ts';
import type { BrandTexts } from './brand-texts.ts';

/** Colours of one theme: `#rgb` or `#rrggbb`, but for `glow`, the red, green and blue of the light. */
export interface ThemeTokens {
  page: string;
  surface: string;
  ink: string;
  muted: string;
  line: string;
  fieldBorder: string;
  accent: string;
  onAccent: string;
  soft: string;
  danger: string;
  ok: string;
  glow: string;
}

/** A name, a look and texts: a brand has no code of its own. `origin` is its issuer. */
export interface Brand {
  id: string;
  name: string;
  /** What a host contains that belongs to this brand. */
  marker: string;
  origin: string;
  /** Where its mail comes from, if not from MAIL_FROM. */
  mailFrom?: string;
  tokens: { light: ThemeTokens; dark: ThemeTokens };
  /** The sentence below the lamp. */
  tagline?: Record<Locale, string>;
  /** Where people get help: an e-mail address or an https URL. */
  support?: string;
  /** Its own words in place of built-in ones. */
  texts?: BrandTexts;
  /** Documents in the brand's own words. */
  legal?: BrandLegal;
  /** A picture to show in place of the built-in mark. */
  logoFile?: string;
}

export type BrandTemplate = Omit<Brand, 'origin'>;

/** A brand as the file has it: without an origin it may get PUBLIC_URL, or not be served. */
export type BrandWithPlace = BrandTemplate & { origin?: string };

/** Where a link to a brand's support leads. */
export const supportUri = (support: string): string =>
  support.startsWith('https://') ? support : `mailto:${support}`;
