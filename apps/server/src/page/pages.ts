import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Boot, Locale, PageError, PageErrorCode, PasswordProfile } from '@candela/contract';
import { isPagePath, pages } from '@candela/contract/pages';
import type { Context } from 'koa';
import type { Brand, ThemeTokens } from '../brand/brand.ts';
import type { PageWords } from '../brand/page-words.ts';
import { stateOf } from '../http/request-state.ts';
import { setAppPolicy, setEnginePolicy } from '../http/security-headers.ts';
import { type LanguageTexts, textsOf } from '../texts/texts.ts';
import { ASSET_PATH } from './assets.ts';

export interface PagesOptions {
  /** The built SPA. */
  webDist: string;
  passwordProfile: PasswordProfile;
  /** Origin of the static host that has the SPA's files; without one they are served here. */
  assetOrigin: string | undefined;
  /** Where the logo of a brand is, if it has one. */
  brandLogo(brandId: string): string | undefined;
  words: PageWords;
}

export type Pages = ReturnType<typeof createPages>;

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** A text for everybody: `body` is markup, `style` adds to the portal's own. */
interface ServedDocument {
  title: string;
  body: string;
  style: string;
}

/** JSON that may stand inside a script element. */
const embed = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const declarations = (tokens: ThemeTokens) =>
  Object.entries(tokens)
    .map(([name, value]) => `--${kebab(name)}:${value}`)
    .join(';');

const brandStyle = ({ tokens }: Brand) =>
  `:root{${declarations(tokens.light)}}@media (prefers-color-scheme:dark){:root{${declarations(tokens.dark)}}}`;

/** The foot of a page without the SPA: the documents, and where people get help. */
const footer = ({ support }: Pick<Brand, 'support'>, locale: Locale): string => {
  const texts = textsOf(locale).pages;
  const isPage = support?.startsWith('https:');
  const address = support && escapeHtml(support);
  const help = isPage
    ? ` <a href="${address}">${texts.support}</a>`
    : ` <a href="mailto:${address}">${texts.support} <bdi>${address}</bdi></a>`;
  return `<footer><a href="/license">${texts.terms}</a> <a href="/privacy">${texts.privacy}</a>${support ? help : ''}</footer>`;
};

/** Stands in the page until the SPA draws, and is shown when it cannot. */
const unloadedNotice = ({ unloadedTitle, unloaded, retry }: LanguageTexts['pages']) =>
  `<div id="unloaded" role="alert" hidden><h1>${unloadedTitle}</h1><p>${unloaded}</p><button type="button">${retry}</button></div>`;

const unloadedStyle =
  '#unloaded{max-width:360px;margin:20vh auto;padding:0 24px;text-align:center}#unloaded h1{margin:0 0 12px;font-size:28px;line-height:1.25}#unloaded button{min-height:48px;padding:8px 24px;margin-top:24px;border:0;border-radius:12px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}';

/** What is wrong, as plain text. */
interface ErrorText {
  title: string;
  text: string;
}

const noScript = ({ locale, error, brand }: Boot, wrong: ErrorText | undefined): string => {
  const texts = textsOf(locale).pages;
  if (!error || !wrong) return `<noscript><p>${texts.needsScript}</p>${footer(brand, locale)}</noscript>`;
  const again = error.startAgain
    ? `<p><a href="${escapeHtml(error.startAgain.uri)}">${texts.startAgain} ${escapeHtml(error.startAgain.name)}</a></p>`
    : `<p><a href="/index">${texts.toAccount}</a></p>`;
  return `<noscript><h1>${escapeHtml(wrong.title)}</h1><p>${escapeHtml(wrong.text)}</p>${again}<p>${texts.reference} <code>${error.requestId}</code></p>${footer(brand, locale)}</noscript>`;
};

const noticeStyle = `body{margin:0;min-height:100vh;display:grid;grid-template-rows:1fr auto;place-items:center;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:400px;padding:24px;text-align:center}h1{font-size:28px;line-height:1.25;margin:24px 0 8px}p{color:var(--muted);margin:0 0 24px}
.lamp{width:48px;height:48px;border-radius:50%;margin:0 auto;background:radial-gradient(circle,#fff 20%,rgb(var(--glow)) 75%);box-shadow:0 0 48px rgb(var(--glow)/.6)}
.off{background:var(--soft);box-shadow:none;border:1px solid var(--line)}
h1,p{text-wrap:balance}details{margin:24px 0 0;text-align:start;color:var(--muted);font-size:14px}summary{min-height:28px;cursor:pointer}details p{margin:0 0 8px;overflow-wrap:anywhere}code{color:var(--ink)}
button,a.button{display:block;box-sizing:border-box;width:100%;min-height:48px;padding:11px 16px;margin:12px 0 0;border-radius:12px;font:inherit;font-weight:600;cursor:pointer;text-decoration:none;border:1px solid var(--field-border);background:none;color:var(--ink)}
.primary{background:var(--accent)!important;border-color:var(--accent)!important;color:var(--on-accent)!important}
:focus-visible{outline:3px solid rgb(var(--glow));outline-offset:2px}
footer{display:flex;flex-wrap:wrap;justify-content:center;gap:4px 20px;padding:0 24px 16px;font-size:14px}footer a{display:inline-block;padding-block:8px;color:var(--muted)}`;

const fallbackBody = (boot: Boot, wrong: ErrorText | undefined): string =>
  `${noScript(boot, wrong)}${unloadedNotice(textsOf(boot.locale).pages)}`;

/** What a page without the SPA says: `body` is markup, `script` runs by nonce. */
interface Notice {
  title: string;
  body: string;
  lit: boolean;
  script?: string;
}

interface NoticePlace {
  locale: Locale;
  nonce: string;
  /** Without one the page has the browser's own colours. */
  brand: Brand | undefined;
  /** Markup below what the page says. */
  foot?: string;
}

/** A page of ours without the SPA, as markup; its style and its script need the nonce in the policy. */
export const noticePage = ({
  locale,
  nonce,
  brand,
  title,
  body,
  lit,
  script,
  foot = '',
}: Notice & NoticePlace): string => {
  const heading = escapeHtml(title);
  const name = brand ? ` - ${escapeHtml(brand.name)}` : '';
  const style = `${brand ? brandStyle(brand) : ''}${noticeStyle}`;
  return `<!DOCTYPE html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${heading}${name}</title><style nonce="${nonce}">${style}</style></head><body><main><div class="lamp${lit ? '' : ' off'}"></div><h1>${heading}</h1>${body}</main>${foot}${script ? `<script nonce="${nonce}">${script}</script>` : ''}</body></html>`;
};

/** Renders the SPA's page for a request, and the few pages that must work without it. */
export const createPages = ({ webDist, passwordProfile, assetOrigin, brandLogo, words }: PagesOptions) => {
  const template = readFileSync(join(webDist, 'index.html'), 'utf8').replaceAll(
    '__CANDELA_ASSETS__',
    `${assetOrigin ?? ''}${ASSET_PATH}`,
  );

  const errorTextOf = (brand: Brand | undefined, locale: Locale, code: PageErrorCode): ErrorText => ({
    title: words.textOf(brand, locale, `pageErrors.${code}.title`),
    text: words.textOf(brand, locale, `pageErrors.${code}.text`),
  });

  const titleOf = (brand: Brand, locale: Locale, path: string): string | undefined => {
    const key = isPagePath(path) ? pages[path].title : undefined;
    return key && words.textOf(brand, locale, key);
  };

  const render = (
    ctx: Context,
    { error, document, deviceForm }: Pick<Boot, 'error' | 'deviceForm'> & { document?: ServedDocument } = {},
  ) => {
    const { brand, locale, nonce } = stateOf(ctx);
    const { id, name, tagline, support } = brand;
    const logo = brandLogo(id);
    const texts = words.ownOf(id, locale);
    const boot: Boot = {
      brand: { id, name, ...(tagline && { tagline }), ...(logo && { logo }), ...(support && { support }) },
      locale,
      passwordProfile,
      ...(texts && { texts }),
      ...(error && { error }),
      ...(deviceForm && { deviceForm }),
    };
    const wrong = error && errorTextOf(brand, locale, error.code);
    const own = wrong?.title ?? titleOf(brand, locale, deviceForm ? '/device' : ctx.path);
    const title = [document?.title ?? own, brand.name].filter(Boolean).join(' - ');
    setAppPolicy(ctx, assetOrigin);
    ctx.type = 'html';
    ctx.body = template
      .replaceAll('__CANDELA_NONCE__', nonce)
      .replace('<html lang="en"', `<html lang="${locale}"`)
      .replace('<title>Candela</title>', () => `<title>${escapeHtml(title)}</title>`)
      .replace(
        '<!--candela:head-->',
        () =>
          `<style nonce="${nonce}">${brandStyle(brand)}${document?.style ?? unloadedStyle}</style><script type="application/json" id="boot">${embed(boot)}</script>`,
      )
      .replace('<!--candela:body-->', () => document?.body ?? fallbackBody(boot, wrong));
  };

  return {
    errorTextOf,

    renderPage: (ctx: Context): void => render(ctx),

    /** A page that is complete without JavaScript; the SPA puts its frame around the same markup. */
    renderDocument: (ctx: Context, document: ServedDocument): void => render(ctx, { document }),

    renderDevicePage: (ctx: Context, deviceForm: Boot['deviceForm'] & object): void =>
      render(ctx, { deviceForm }),

    /** Keeps the status that is set. */
    renderError: (
      ctx: Context,
      code: PageErrorCode,
      details: Omit<PageError, 'code' | 'status' | 'requestId'> = {},
    ): void => {
      const { status } = ctx;
      const { requestId } = stateOf(ctx);
      const wait = Number(ctx.response.get('Retry-After'));
      render(ctx, {
        error: { code, status, requestId, ...(wait > 0 && { retryAfterSeconds: wait }), ...details },
      });
      ctx.status = status;
    },

    /** A page of ours inside the engine's flow. */
    renderNotice: (ctx: Context, notice: Notice): void => {
      setEnginePolicy(ctx);
      ctx.type = 'html';
      const { brand, locale, nonce } = stateOf(ctx);
      ctx.body = noticePage({ brand, locale, nonce, ...notice, foot: footer(brand, locale) });
    },
  };
};
