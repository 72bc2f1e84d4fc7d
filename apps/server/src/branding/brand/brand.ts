import type { Locale } from '@candela/contract';
import type { StrongClass } from '@candela/contract/rules/authentication-classes';
import { isHttps } from '@candela/contract/rules/is-https';
import type { BrandLegal } from '../legal/brand-legal.ts';
import type { AppLinks } from './app-links.ts';
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
  /** A part of every host name of this brand. */
  marker: string;
  origin: string;
  /** The relying party id of its passkeys (Web Authentication section 4): the host of `origin`, or a suffix of a brand's host. */
  rpId: string;
  /** The sender of the brand's mail, in place of MAIL_FROM. */
  mailFrom?: string;
  tokens: { light: ThemeTokens; dark: ThemeTokens };
  /** The weakest class of sign-in by which developers come to their apps; absent: every class. */
  developersNeed?: StrongClass;
  /** The sentence below the lamp. */
  tagline?: Record<Locale, string>;
  /** Where people get help: an e-mail address or an https URL. */
  support?: string;
  /** The https URL of the brand's own documentation for developers, in place of the built-in pages. */
  docs?: string;
  /** The brand's own apps, which open links to it. */
  appLinks?: AppLinks;
  /** The brand's own texts, in place of built-in texts. */
  texts?: BrandTexts;
  /** Documents in the brand's own words. */
  legal?: BrandLegal;
  /** A picture to show in place of the built-in mark. */
  logoFile?: string;
  /** The origin of the desk alone (DESK_ORIGIN): staff sign in there, and nobody else has anything there. */
  forStaff?: true;
}

export type BrandTemplate = Omit<Brand, 'origin' | 'rpId'>;

/** A brand of the file. Without an origin it gets PUBLIC_URL, or is not served; without `rpId` it gets the host. */
export type BrandWithPlace = BrandTemplate & { origin?: string; rpId?: string };

/** Where a link to a brand's support leads. */
export const supportUri = (support: string): string => (isHttps(support) ? support : `mailto:${support}`);
