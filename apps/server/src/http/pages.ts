import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Boot, PageError, PageErrorCode, PasswordProfile } from '@candela/contract';
import type { Context } from 'koa';
import type { Brand, ThemeTokens } from '../brand/brand.ts';
import { ASSET_PATH } from './assets.ts';
import { pageTexts } from './page-texts.ts';
import { stateOf } from './request-state.ts';
import { setAppPolicy, setEnginePolicy } from './security-headers.ts';

export interface PagesOptions {
  /** The built SPA. */
  webDist: string;
  passwordProfile: PasswordProfile;
  /** Origin of the static host that has the SPA's files; without one they are served here. */
  assetOrigin: string | undefined;
  /** Where the logo of a brand is, if it has one. */
  brandLogo(brandId: string): string | undefined;
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

const fallbackBody = ({ locale, error }: Boot): string => {
  const texts = pageTexts[locale];
  if (!error) return `<noscript><p>${texts.needsScript}</p></noscript>`;
  const again = error.startAgain
    ? `<p><a href="${escapeHtml(error.startAgain.uri)}">${texts.startAgain} ${escapeHtml(error.startAgain.name)}</a></p>`
    : `<p><a href="/index">${texts.toAccount}</a></p>`;
  return `<noscript><h1>${texts.errorTitle}</h1><p>${texts.errors[error.code]}</p>${again}<p>${texts.reference} <code>${error.requestId}</code></p></noscript>`;
};

const noticeStyle = `body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:400px;padding:24px;text-align:center}h1{font-size:28px;line-height:1.25;margin:24px 0 8px}p{color:var(--muted);margin:0 0 24px}
.lamp{width:48px;height:48px;border-radius:50%;margin:0 auto;background:radial-gradient(circle,#fff 20%,rgb(var(--glow)) 75%);box-shadow:0 0 48px rgb(var(--glow)/.6)}
.off{background:var(--soft);box-shadow:none;border:1px solid var(--line)}
h1,p{text-wrap:balance}details{margin:24px 0 0;text-align:start;color:var(--muted);font-size:14px}summary{min-height:28px;cursor:pointer}details p{margin:0 0 8px;overflow-wrap:anywhere}code{color:var(--ink)}
button,a.button{display:block;box-sizing:border-box;width:100%;min-height:48px;padding:11px 16px;margin:12px 0 0;border-radius:12px;font:inherit;font-weight:600;cursor:pointer;text-decoration:none;border:1px solid var(--field-border);background:none;color:var(--ink)}
.primary{background:var(--accent)!important;border-color:var(--accent)!important;color:var(--on-accent)!important}
:focus-visible{outline:3px solid rgb(var(--glow));outline-offset:2px}`;

/** Renders the SPA's page for a request, and the few pages that must work without it. */
export const createPages = ({ webDist, passwordProfile, assetOrigin, brandLogo }: PagesOptions) => {
  const template = readFileSync(join(webDist, 'index.html'), 'utf8').replaceAll(
    '__CANDELA_ASSETS__',
    `${assetOrigin ?? ''}${ASSET_PATH}`,
  );

  const render = (
    ctx: Context,
    { error, document, deviceForm }: Pick<Boot, 'error' | 'deviceForm'> & { document?: ServedDocument } = {},
  ) => {
    const { brand, locale, nonce } = stateOf(ctx);
    const logo = brandLogo(brand.id);
    const boot: Boot = {
      brand: { id: brand.id, name: brand.name, tagline: brand.tagline, ...(logo && { logo }) },
      locale,
      passwordProfile,
      ...(error && { error }),
      ...(deviceForm && { deviceForm }),
    };
    const title = document ? `${document.title} - ${brand.name}` : brand.name;
    setAppPolicy(ctx, assetOrigin);
    ctx.type = 'html';
    ctx.body = template
      .replaceAll('__CANDELA_NONCE__', nonce)
      .replace('<html lang="en"', `<html lang="${locale}"`)
      .replace('<title>Candela</title>', () => `<title>${escapeHtml(title)}</title>`)
      .replace(
        '<!--candela:head-->',
        () =>
          `<style nonce="${nonce}">${brandStyle(brand)}${document?.style ?? ''}</style><script type="application/json" id="boot">${embed(boot)}</script>`,
      )
      .replace('<!--candela:body-->', () => document?.body ?? fallbackBody(boot));
  };

  return {
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

    /** A page of ours inside the engine's flow, without the SPA: `body` is markup, `script` runs by nonce. */
    renderNotice: (
      ctx: Context,
      { title, body, lit, script }: { title: string; body: string; lit: boolean; script?: string },
    ): void => {
      const { brand, locale, nonce } = stateOf(ctx);
      setEnginePolicy(ctx);
      ctx.type = 'html';
      ctx.body = `<!DOCTYPE html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)} - ${escapeHtml(brand.name)}</title><style nonce="${nonce}">${brandStyle(brand)}${noticeStyle}</style></head><body><main><div class="lamp${lit ? '' : ' off'}"></div><h1>${escapeHtml(title)}</h1>${body}</main>${script ? `<script nonce="${nonce}">${script}</script>` : ''}</body></html>`;
    },
  };
};
