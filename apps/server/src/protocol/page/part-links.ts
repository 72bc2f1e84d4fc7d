import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locale } from '@candela/contract';
import type { PagePath } from '@candela/contract/pages';
import { type Html, html } from '../../http/html.ts';

/** The files that a page, or the page for unknown paths, needs beside the shell's, and those of its texts. */
type Parts = Readonly<
  Partial<
    Record<
      PagePath | 'notFound',
      { files: readonly string[]; texts: Readonly<Record<Locale, readonly string[]>> }
    >
  >
>;

/** Writes the links by which the parts of a page, or of the page for unknown paths, load beside the shell. */
export type PartLinks = (page: PagePath | undefined, locale: Locale, nonce: string) => Html[];

/**
 * Reads what `apps/web/written-parts.ts` wrote down at the build.
 * @param base the address of the files
 */
export const readPartLinks = (webDist: string, base: string): PartLinks => {
  const parts: Parts = JSON.parse(readFileSync(join(webDist, '.parts.json'), 'utf8'));
  const linkTo = (file: string, nonce: string): Html =>
    file.endsWith('.css')
      ? html`<link rel="preload" as="style" crossorigin href="${base}${file}" nonce="${nonce}">`
      : html`<link rel="modulepreload" crossorigin href="${base}${file}" nonce="${nonce}">`;
  return (page, locale, nonce) => {
    const drawn = parts[page ?? 'notFound'];
    return drawn ? [...drawn.texts[locale], ...drawn.files].map((file) => linkTo(file, nonce)) : [];
  };
};
