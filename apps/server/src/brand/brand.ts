import { readFileSync } from 'node:fs';
import type { Locale } from '@candela/contract';
import * as z from 'zod/mini';
import { builtInBrands } from './built-in.ts';

/** Colours of one theme; `glow` is a triple of numbers, the others are colours of CSS. */
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
  tagline: Record<Locale, string>;
}

export type BrandTemplate = Omit<Brand, 'origin'>;

const color = z.string().check(z.regex(/^[#a-z0-9 .,%()-]{1,64}$/i));
const Theme = z.partial(
  z.strictObject({
    page: color,
    surface: color,
    ink: color,
    muted: color,
    line: color,
    fieldBorder: color,
    accent: color,
    onAccent: color,
    soft: color,
    danger: color,
    ok: color,
    glow: z.string().check(z.regex(/^\d{1,3} \d{1,3} \d{1,3}$/)),
  }),
);

const BrandsFile = z
  .array(
    z.object({
      id: z.string().check(z.regex(/^[a-z0-9-]{1,40}$/)),
      name: z.optional(z.string().check(z.minLength(1), z.maxLength(60))),
      marker: z.optional(z.string().check(z.regex(/^[a-z0-9.-]{1,100}$/))),
      origin: z.optional(z.url()),
      mailFrom: z.optional(z.email()),
      tokens: z.optional(z.strictObject({ light: z.optional(Theme), dark: z.optional(Theme) })),
    }),
  )
  .check(z.minLength(1));

type BrandEntry = z.infer<typeof BrandsFile>[number];

const defined = <T extends object>(value: T | undefined) =>
  Object.fromEntries(Object.entries(value ?? {}).filter(([, part]) => part !== undefined));

const complete = (entry: BrandEntry): BrandTemplate & { origin?: string } => {
  const base = builtInBrands.find((brand) => brand.id === entry.id) ?? builtInBrands[0];
  return {
    id: entry.id,
    name: entry.name ?? base.name,
    marker: entry.marker ?? (base.id === entry.id ? base.marker : entry.id),
    tokens: {
      light: { ...base.tokens.light, ...defined(entry.tokens?.light) },
      dark: { ...base.tokens.dark, ...defined(entry.tokens?.dark) },
    },
    tagline: base.tagline,
    ...(entry.mailFrom && { mailFrom: entry.mailFrom }),
    ...(entry.origin && { origin: new URL(entry.origin).origin }),
  };
};

/**
 * The brands served, each with its origin. One without an origin takes `publicUrl` if its marker is in
 * that host; if none does, the first brand takes it. Brands left without an origin are not served.
 * @throws Error when the file cannot be used.
 */
export const readBrands = (
  brandsFile: string | undefined,
  publicUrl: string,
): readonly [Brand, ...Brand[]] => {
  const templates: (BrandTemplate & { origin?: string })[] = brandsFile
    ? z.parse(BrandsFile, JSON.parse(readFileSync(brandsFile, 'utf8'))).map(complete)
    : [...builtInBrands];
  const publicHost = new URL(publicUrl).host;
  const owner =
    templates.find((brand) => brand.origin === publicUrl) ??
    templates.find((brand) => !brand.origin && publicHost.includes(brand.marker)) ??
    templates.find((brand) => !brand.origin);
  const served = templates
    .map((brand) => ({ ...brand, origin: brand.origin ?? (brand === owner ? publicUrl : undefined) }))
    .filter((brand): brand is Brand => brand.origin !== undefined);
  const [first, ...rest] = served.sort(
    (a, b) => Number(b.origin === publicUrl) - Number(a.origin === publicUrl),
  );
  if (!first) throw new Error('BRANDS_FILE names no brand that has an origin');
  const twice = served.find(
    (brand, index) => served.findIndex((other) => other.origin === brand.origin) !== index,
  );
  if (twice) throw new Error(`BRANDS_FILE gives the origin ${twice.origin} to two brands`);
  return [first, ...rest];
};
