import type { Locale } from '@candela/contract';
import type { Brand } from '../../branding/brand/brand.ts';
import { type Html, html, raw } from '../../http/html.ts';
import { brandStyle } from './brand-style.ts';

const noticeStyle = `body{margin:0;min-height:100vh;display:grid;grid-template-rows:1fr auto;place-items:center;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:400px;padding:24px;text-align:center}h1{font-size:28px;line-height:1.25;margin:24px 0 8px}p{color:var(--muted);margin:0 0 24px}
.lamp{width:48px;height:48px;border-radius:50%;margin:0 auto;background:radial-gradient(circle,#fff 20%,rgb(var(--glow)) 75%);box-shadow:0 0 48px rgb(var(--glow)/.6)}
.off{background:var(--soft);box-shadow:none;border:1px solid var(--line)}
h1,p{text-wrap:balance}main p a{color:var(--accent,currentColor);text-underline-offset:.2em}details{margin:24px 0 0;text-align:start;color:var(--muted);font-size:14px}summary{min-height:28px;cursor:pointer}details p{margin:0 0 8px;overflow-wrap:anywhere}code{color:var(--ink)}
button,a.button{display:block;box-sizing:border-box;width:100%;min-height:48px;padding:11px 16px;margin:12px 0 0;border-radius:12px;font:inherit;font-weight:600;cursor:pointer;text-decoration:none;border:1px solid var(--field-border);background:none;color:var(--ink)}
.primary{background:var(--accent)!important;border-color:var(--accent)!important;color:var(--on-accent)!important}
:focus-visible{outline:3px solid rgb(var(--glow));outline-offset:2px}
footer{display:flex;flex-wrap:wrap;justify-content:center;gap:4px 20px;padding:0 24px 16px;font-size:14px}footer a{display:inline-block;padding-block:8px;color:var(--muted)}`;

/** A page without the SPA, drawn by the server alone. */
export interface Notice {
  title: string;
  body: Html;
  /** Whether the lamp above the title is on. */
  lit: boolean;
  /** JavaScript of our own, which runs by nonce. */
  script?: string;
}

export interface NoticePlace {
  locale: Locale;
  nonce: string;
  /** undefined: the page has the browser's own colours. */
  brand: Brand | undefined;
  foot?: Html;
}

/** Renders a notice. The policy of the answer has to allow the nonce for its style and its script. */
export const renderNoticePage = ({
  locale,
  nonce,
  brand,
  title,
  body,
  lit,
  script,
  foot,
}: Notice & NoticePlace): string => {
  const style = raw(`${brand ? brandStyle(brand) : ''}${noticeStyle}`);
  return html`<!DOCTYPE html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}${brand && ` - ${brand.name}`}</title><style nonce="${nonce}">${style}</style></head><body><main><div class="lamp${!lit && ' off'}"></div><h1>${title}</h1>${body}</main>${foot}${script && html`<script nonce="${nonce}">${raw(script)}</script>`}</body></html>`
    .markup;
};
