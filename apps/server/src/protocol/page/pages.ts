import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Boot, Locale, PageError, PageErrorCode, PasswordProfile } from '@candela/contract';
import { type PagePath, pageAt, pages } from '@candela/contract/pages';
import type { Context } from 'koa';
import type { Brand } from '../../branding/brand/brand.ts';
import type { PageWords } from '../../branding/brand/page-words.ts';
import { type Html, html, raw } from '../../http/html.ts';
import { type RequestState, stateOf } from '../../http/request-state.ts';
import { setAppPolicy, setEnginePolicy } from '../../http/security-headers.ts';
import { ASSET_PATH } from './assets.ts';
import { brandStyle } from './brand-style.ts';
import { type ErrorText, fallbackStyle, renderFallback, renderFooter } from './fallback.ts';
import { firstRequestOf } from './first-request.ts';
import { type Notice, renderNoticePage } from './notice-page.ts';
import { readPartLinks } from './part-links.ts';

export interface PagesOptions {
  /** Directory of the built SPA. */
  webDist: string;
  passwordProfile: PasswordProfile;
  /** Origin of the static host that has the SPA's files; undefined: this server has them. */
  assetOrigin: string | undefined;
  /** The path of a brand's logo, if it has one. */
  brandLogo(brandId: string): string | undefined;
  words: PageWords;
}

/** A page that is complete without JavaScript; the SPA puts its frame around the same markup. */
interface ServedDocument {
  title: string;
  body: Html;
  /** Adds to the SPA's own styles. */
  style: string;
}

type PageErrorDetails = Omit<PageError, 'code' | 'status' | 'requestId'>;

/** Renders the SPA's page for a request, and the few pages that must work without it. */
export interface Pages {
  /** The texts of an error, in the brand's own words where it has any. */
  errorTextOf(brand: Brand | undefined, locale: Locale, code: PageErrorCode): ErrorText;
  renderPage(ctx: Context): void;
  renderDocument(ctx: Context, document: ServedDocument): void;
  renderDevicePage(ctx: Context, deviceForm: NonNullable<Boot['deviceForm']>): void;
  /** Keeps the status that is set. */
  renderError(ctx: Context, code: PageErrorCode, details?: PageErrorDetails): void;
  /** A page of ours inside the engine's flow. */
  renderNotice(ctx: Context, notice: Notice): void;
}

/** What a page of the SPA shows beside its own content. */
interface Content extends Pick<Boot, 'first' | 'error' | 'deviceForm'> {
  document?: ServedDocument;
}

/** JSON that may stand inside a script element. */
const embed = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

/** The SPA's index.html, with the path of its files. */
const readTemplate = (webDist: string, base: string) =>
  readFileSync(join(webDist, 'index.html'), 'utf8').replaceAll('__CANDELA_ASSETS__', base);

/** The title of the page at a path; undefined for a path of no page, or a page without a title. */
const titleOf = (words: PageWords, brand: Brand, locale: Locale, path: string): string | undefined => {
  const page = pageAt(path);
  const key = page && pages[page].title;
  return key && words.textOf(brand, locale, key);
};

/** The page that is drawn at a path. Who is no staff finds no desk. */
const drawnAt = (path: string, error: Content['error']): PagePath | undefined => {
  const page = pageAt(path);
  return error && page && pages[page].frame === 'desk' ? undefined : page;
};

/** The facts that the SPA starts with. */
const bootOf = (
  { passwordProfile, brandLogo, words }: PagesOptions,
  { brand, locale }: Pick<RequestState, 'brand' | 'locale'>,
  { first, error, deviceForm }: Content,
): Boot => {
  const { id, name, tagline, support } = brand;
  const logo = brandLogo(id);
  const texts = words.ownOf(id, locale);
  return {
    brand: { id, name, ...(tagline && { tagline }), ...(logo && { logo }), ...(support && { support }) },
    locale,
    passwordProfile,
    ...(texts && { texts }),
    ...(first && { first }),
    ...(error && { error }),
    ...(deviceForm && { deviceForm }),
  };
};

export const createPages = (options: PagesOptions): Pages => {
  const { webDist, assetOrigin = '', words } = options;
  const base = `${assetOrigin}${ASSET_PATH}`;
  const template = readTemplate(webDist, base);
  const partLinks = readPartLinks(webDist, base);

  const errorTextOf: Pages['errorTextOf'] = (brand, locale, code) => ({
    title: words.textOf(brand, locale, `pageErrors.${code}.title`),
    text: words.textOf(brand, locale, `pageErrors.${code}.text`),
  });

  const render = (ctx: Context, content: Content = {}) => {
    const { error, document, deviceForm } = content;
    const { brand, locale, nonce } = stateOf(ctx);
    const wrong = error && errorTextOf(brand, locale, error.code);
    const path = deviceForm ? '/device' : ctx.path;
    const page = drawnAt(path, error);
    const first = error ? undefined : firstRequestOf(page, ctx);
    const boot = bootOf(options, { brand, locale }, { ...content, ...(first && { first }) });
    const own = wrong?.title ?? titleOf(words, brand, locale, path);
    const title = [document?.title ?? own, brand.name].filter(Boolean).join(' - ');
    const style = raw(`${brandStyle(brand)}${document?.style ?? fallbackStyle}`);
    const head = html`<style nonce="${nonce}">${style}</style><script type="application/json" id="boot">${raw(embed(boot))}</script>`;
    const body = document?.body ?? renderFallback(boot, wrong);
    const links = partLinks(page, locale, nonce);
    setAppPolicy(ctx, options.assetOrigin);
    ctx.type = 'html';
    ctx.body = template
      .replaceAll('__CANDELA_NONCE__', nonce)
      .replace('<html lang="en"', `<html lang="${locale}"`)
      .replace('<title>Candela</title>', () => html`<title>${title}</title>`.markup)
      .replace('</head>', () => html`${links}</head>`.markup)
      .replace('<!--candela:head-->', () => head.markup)
      .replace('<!--candela:body-->', () => body.markup);
  };

  return {
    errorTextOf,

    renderPage: (ctx) => render(ctx),

    renderDocument: (ctx, document) => render(ctx, { document }),

    renderDevicePage: (ctx, deviceForm) => render(ctx, { deviceForm }),

    renderError: (ctx, code, details = {}) => {
      const { status } = ctx;
      const { requestId } = stateOf(ctx);
      const wait = Number(ctx.response.get('Retry-After'));
      render(ctx, {
        error: { code, status, requestId, ...(wait > 0 && { retryAfterSeconds: wait }), ...details },
      });
      ctx.status = status;
    },

    renderNotice: (ctx, notice) => {
      setEnginePolicy(ctx);
      ctx.type = 'html';
      const { brand, locale, nonce } = stateOf(ctx);
      ctx.body = renderNoticePage({ brand, locale, nonce, ...notice, foot: renderFooter(brand, locale) });
    },
  };
};
