import { dirname, resolve } from 'node:path';
import { byLocale, type Locale, locales } from '@candela/contract';
import { strongClasses } from '@candela/contract/rules/authentication-classes';
import * as z from 'zod/mini';
import { readSettingsFile, type SettingsFile } from '../../ground/settings-file/settings-file.ts';
import { ConfigError } from '../../ground/start-error.ts';
import { type BrandLegal, BrandLegalEntry, readBrandLegal } from '../legal/brand-legal.ts';
import { AppLinks } from './app-links.ts';
import type { BrandTemplate, BrandWithPlace } from './brand.ts';
import { createBrandTextsSchema, type TextCatalog } from './brand-texts.ts';
import { builtInBrands } from './built-in.ts';
import { findContrastProblems } from './contrast.ts';
import { parseOrigin } from './origin.ts';

const color = z
  .string()
  .check(z.regex(/^#(?:[\da-f]{3}){1,2}$/i, 'must be a colour such as #9a4b00: #rgb or #rrggbb'));
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
    glow: z
      .string()
      .check(z.regex(/^\d{1,3} \d{1,3} \d{1,3}$/, 'must be red, green and blue such as 255 184 92')),
  }),
);

const tagline = z.string().check(z.minLength(1), z.maxLength(200));

const isHttpsUrl = (value: string) => /^https:\/\/\S+$/.test(value) && URL.canParse(value);

const isSupport = (value: string) => z.safeParse(z.email(), value).success || isHttpsUrl(value);

const createBrandsFile = (catalog: TextCatalog) =>
  z
    .array(
      z.strictObject({
        id: z.string().check(z.regex(/^[a-z0-9-]{1,40}$/)),
        name: z.optional(z.string().check(z.minLength(1), z.maxLength(60))),
        marker: z.optional(z.string().check(z.regex(/^[a-z0-9.-]{1,100}$/))),
        origin: z.optional(
          z
            .string()
            .check(
              z.refine(
                (value) => parseOrigin(value) !== undefined,
                'must be an origin without a path, such as https://id.example.com',
              ),
            ),
        ),
        rpId: z.optional(
          z
            .string()
            .check(
              z.regex(
                /^(?=.{1,253}$)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/,
                'must be a host such as example.com, in small letters',
              ),
            ),
        ),
        developersNeed: z.optional(z.enum(strongClasses, `must be one of ${strongClasses.join(', ')}`)),
        mailFrom: z.optional(z.email()),
        tagline: z.optional(
          z.union(
            [tagline, z.record(z.enum(locales), tagline)],
            `must be a text, or one for each of ${locales.join(', ')}`,
          ),
        ),
        support: z.optional(
          z.string().check(z.refine(isSupport, 'must be an e-mail address or an https URL')),
        ),
        docs: z.optional(z.string().check(z.refine(isHttpsUrl, 'must be an https URL'))),
        texts: z.optional(createBrandTextsSchema(catalog)),
        /** Path of a JPEG or PNG, from the directory of the file. */
        logo: z.optional(z.string().check(z.minLength(1))),
        legal: z.optional(BrandLegalEntry),
        app_links: z.optional(AppLinks),
        tokens: z.optional(z.strictObject({ light: z.optional(Theme), dark: z.optional(Theme) })),
      }),
    )
    .check(z.minLength(1, 'must name a brand'));

type BrandEntry = z.infer<ReturnType<typeof createBrandsFile>>[number];

const defined = <T extends object>(value: T | undefined) =>
  Object.fromEntries(Object.entries(value ?? {}).filter(([, part]) => part !== undefined));

const inEveryLanguage = (text: BrandEntry['tagline']): Record<Locale, string> | undefined =>
  typeof text === 'string' ? byLocale(() => text) : text;

const readLegal = (
  entry: z.infer<typeof BrandLegalEntry>,
  place: Parameters<typeof readBrandLegal>[1],
  problems: string[],
): BrandLegal | undefined => {
  try {
    return readBrandLegal(entry, place);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
};

/** The sentence of a built-in brand belongs to that brand alone. */
const taglineOf = (entry: BrandEntry, base: BrandTemplate) =>
  inEveryLanguage(entry.tagline) ?? (base.id === entry.id ? base.tagline : undefined);

const complete = (entry: BrandEntry, directory: string, problems: string[]): BrandWithPlace => {
  const base = builtInBrands.find((brand) => brand.id === entry.id) ?? builtInBrands[0];
  const tagline = taglineOf(entry, base);
  const legal = entry.legal && readLegal(entry.legal, { brand: entry.id, directory }, problems);
  return {
    id: entry.id,
    name: entry.name ?? base.name,
    marker: entry.marker ?? (base.id === entry.id ? base.marker : entry.id),
    tokens: {
      light: { ...base.tokens.light, ...defined(entry.tokens?.light) },
      dark: { ...base.tokens.dark, ...defined(entry.tokens?.dark) },
    },
    ...(tagline && { tagline }),
    ...(entry.support && { support: entry.support }),
    ...(entry.docs && { docs: entry.docs }),
    ...(entry.texts && { texts: defined(entry.texts) }),
    ...(entry.developersNeed && { developersNeed: entry.developersNeed }),
    ...(entry.mailFrom && { mailFrom: entry.mailFrom }),
    ...(legal && { legal }),
    ...(entry.app_links && { appLinks: entry.app_links }),
    ...(entry.logo && { logoFile: resolve(directory, entry.logo) }),
    ...(entry.origin && { origin: parseOrigin(entry.origin) ?? entry.origin }),
    ...(entry.rpId && { rpId: entry.rpId }),
  };
};

const findTwice = (values: readonly string[]): string[] => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index)),
];

/**
 * The brands of the file, completed by the built-in brands; without a file, the built-in brands.
 * @throws ConfigError naming the file, and each place in it that is wrong.
 */
export const readBrandsFile = (
  file: SettingsFile | undefined,
  catalog: TextCatalog,
): readonly BrandWithPlace[] => {
  if (!file) return builtInBrands;
  const problems: string[] = [];
  const brands = readSettingsFile(file, createBrandsFile(catalog)).map((entry) =>
    complete(entry, dirname(file.path), problems),
  );
  const twice = [
    ...findTwice(brands.map(({ id }) => id)).map((id) => `the id "${id}" belongs to two brands`),
    ...findTwice(brands.flatMap(({ origin }) => origin ?? [])).map(
      (origin) => `the origin ${origin} belongs to two brands`,
    ),
  ];
  const faint = brands.flatMap(({ id, tokens }) =>
    (['light', 'dark'] as const).flatMap((theme) =>
      findContrastProblems(tokens[theme]).map((problem) => `tokens.${theme} of "${id}": ${problem}`),
    ),
  );
  problems.push(...[...twice, ...faint].map((problem) => `${file.name}: ${problem}`));
  if (problems.length > 0) throw new ConfigError(problems);
  return brands;
};
