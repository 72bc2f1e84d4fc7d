import { byLocale, type ErrorCode, type Locale } from '@candela/contract';
import * as z from 'zod/mini';

/** Built-in texts of one language by their keys, with `{{placeholders}}`. */
export type Texts = Readonly<Record<string, string>>;

/** A brand's own words, which replace built-in ones: plain text, never markup. */
export type BrandTexts = Partial<Record<Locale, Texts>>;

/** The built-in texts that a brand may replace. */
export interface TextCatalog {
  /** Texts of messages; their keys begin with `messages.`. */
  messages: Record<Locale, Texts>;
  /** Texts of the pages. Undefined while the pages are not built: then no key can be checked. */
  pages?: Record<Locale, Texts> | undefined;
}

const PLACEHOLDER = /{{(.*?)}}/g;
/** A brand may leave its own name out of a text. */
const CAN_BE_LEFT_OUT = 'brand';

const placeholdersOf = (text: string): string[] => [
  ...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name)),
];

/** Replaces the `{{placeholders}}` of a text by values; placeholders inside a value stay as they are. */
export const fillText = (text: string, values: Readonly<Record<string, unknown>>): string =>
  text.replaceAll(PLACEHOLDER, (_, name: string) => String(values[name] ?? ''));

type WordFault = Extract<ErrorCode, `word_${string}`>;

interface Problem {
  code: WordFault;
  /** For whoever wrote the file. */
  message: string;
}

const problemOf = (own: string, builtIn: string): Problem | undefined => {
  const given = placeholdersOf(builtIn);
  const used = placeholdersOf(own);
  const show = (names: readonly string[]) => names.map((name) => `{{${name}}}`).join(', ');
  const unknown = used.filter((name) => !given.includes(name));
  if (unknown.length > 0)
    return {
      code: 'word_placeholder_unknown',
      message: `has ${show(unknown)}, but ${given.length > 0 ? `is given ${show(given)} only` : 'is given nothing'}`,
    };
  const missing = given.filter((name) => name !== CAN_BE_LEFT_OUT && !used.includes(name));
  if (missing.length > 0) return { code: 'word_placeholder_missing', message: `lacks ${show(missing)}` };
  // i18next would look up another text there.
  return own.includes('$t(') ? { code: 'word_forbidden', message: 'must not have $t(' } : undefined;
};

const UNKNOWN: Problem = { code: 'word_unknown', message: 'is unknown' };

/** The schema of a brand's own words. It refuses an unknown key, and a text with other placeholders than the built-in one. */
export const createBrandTextsSchema = ({ messages, pages }: TextCatalog) => {
  const wordsOf = (locale: Locale) =>
    z.optional(
      z
        .record(z.string(), z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(4000)))
        .check(({ value, issues }) => {
          for (const [key, own] of Object.entries(value)) {
            const catalog = (key.startsWith('messages.') ? messages : pages)?.[locale];
            if (!catalog) continue;
            const builtIn = Object.hasOwn(catalog, key) ? catalog[key] : undefined;
            const problem = builtIn === undefined ? UNKNOWN : problemOf(own, builtIn);
            if (!problem) continue;
            const { code, message } = problem;
            issues.push({ code: 'custom', input: own, path: [key], message, params: { code } });
          }
        }),
    );
  return z.strictObject(byLocale(wordsOf));
};

/** The schema that words of a file and words of the desk are checked by. */
export type BrandTextsSchema = ReturnType<typeof createBrandTextsSchema>;

const codeOfIssue = (issue: z.core.$ZodIssue): WordFault => {
  if (issue.code === 'too_small') return 'word_blank';
  if (issue.code === 'too_big') return 'word_too_long';
  return (issue.code === 'custom' && (issue.params?.code as WordFault | undefined)) || 'word_unknown';
};

/** What the schema refuses, by language and key: `ru.login.forgot`. Empty where all is well. */
export const findWordFaults = (schema: BrandTextsSchema, words: unknown): Record<string, WordFault> => {
  const { error } = z.safeParse(schema, words);
  const faults: Record<string, WordFault> = {};
  for (const issue of error?.issues ?? []) faults[issue.path.map(String).join('.')] ??= codeOfIssue(issue);
  return faults;
};
