import type { Locale } from '@candela/contract';
import { supportUri, type ThemeTokens } from '../../branding/brand/brand.ts';
import { type Html, html, raw } from '../../http/html.ts';

/** The part of a brand that a mail is made of. */
export interface MailBrand {
  name: string;
  support?: string | undefined;
  tokens: { light: ThemeTokens; dark: ThemeTokens };
}

export interface MailInput {
  locale: Locale;
  brand: MailBrand;
  subject: string;
  paragraphs: readonly string[];
  /** The paragraph to show large. */
  highlight?: string;
  /** An address that stands in a paragraph, to be pressed. */
  link?: string;
}

const fonts = raw(
  "-apple-system,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei','Noto Sans',Arial,sans-serif",
);

/** What stands below every mail: who speaks, and where help is. */
export const signatureOf = ({ name, support }: MailBrand): string => (support ? `${name}\n${support}` : name);

const supportLink = (support: string, { muted }: ThemeTokens) =>
  html`<br><a class="muted" style="color:${muted}" href="${supportUri(support)}">${support}</a>`;

/** What a program that honours styles shows at night; the others show the light one. */
const darkStyle = ({ page, surface, ink, muted, soft, accent, line }: ThemeTokens) => html`
@media (prefers-color-scheme: dark) {
.page{background:${page}!important}
.card{background:${surface}!important;border-color:${line}!important}
.ink{color:${ink}!important}
.muted{color:${muted}!important}
.link{color:${accent}!important}
.code{background:${soft}!important;color:${accent}!important}
}`;

/** What a person compares before pressing it: the address itself, whole, on as many lines as it takes. */
const linkOf = (link: string, { accent }: ThemeTokens) =>
  html`<a class="link" href="${link}" style="color:${accent};text-decoration:underline;display:inline-block;word-break:break-all">${link}</a>`;

const paragraphOf = (text: string, tokens: ThemeTokens, { highlight, link }: MailInput): Html => {
  const { ink, soft, accent } = tokens;
  if (text === highlight)
    return html`<p class="code" style="margin:24px 0;padding:16px;border-radius:12px;background:${soft};color:${accent};font-size:32px;font-weight:700;letter-spacing:6px;text-align:center;font-variant-numeric:tabular-nums">${text}</p>`;
  const words = link ? text.split(link).map((part, at) => [at > 0 && linkOf(link, tokens), part]) : text;
  return html`<p class="ink" style="margin:16px 0;color:${ink};font-size:16px;line-height:1.6">${words}</p>`;
};

/**
 * The HTML part of a mail, in the brand's colours. It loads nothing, and links only to addresses that its text
 * shows: it says the text part's words, so that it looks the same to who lets no images in.
 */
export const renderMail = (input: MailInput): string => {
  const { locale, brand, subject, paragraphs } = input;
  const { light, dark } = brand.tokens;
  const { name } = brand;
  const body = paragraphs.map((text, at) => [at > 0 && '\n', paragraphOf(text, light, input)]);
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
<style>${darkStyle(dark)}</style>
</head>
<body class="page" style="margin:0;padding:24px 12px;background:${light.page};font-family:${fonts}">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0"><tr><td align="center">
<table role="presentation" cellspacing="0" cellpadding="0" style="width:100%;max-width:520px"><tr>
<td class="card" style="padding:28px;border:1px solid ${light.line};border-radius:16px;background:${light.surface}">
<p class="ink" style="margin:0 0 8px;color:${light.ink};font-size:20px;font-weight:700">${name}</p>
${body}
<p class="muted" style="margin:24px 0 0;color:${light.muted};font-size:14px">${name}${brand.support && supportLink(brand.support, light)}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`.markup;
};
