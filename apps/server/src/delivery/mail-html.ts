import type { Locale } from '@candela/contract';
import { supportUri, type ThemeTokens } from '../brand/brand.ts';

/** The part of a brand that a mail shows. */
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
  /** An address in a paragraph that becomes a link. */
  link?: string;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

const fonts = "-apple-system,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei','Noto Sans',Arial,sans-serif";

/** The last lines of every mail: the brand, and the address of its support. */
export const signatureOf = ({ name, support }: MailBrand): string => (support ? `${name}\n${support}` : name);

const supportLink = (support: string, { muted }: ThemeTokens) =>
  `<br><a class="muted" style="color:${muted}" href="${escapeHtml(supportUri(support))}">${escapeHtml(support)}</a>`;

/** The dark theme, for mail programs that honour styles; the others show the light theme. */
const darkStyle = ({ page, surface, ink, muted, soft, accent, line }: ThemeTokens) => `
@media (prefers-color-scheme: dark) {
.page{background:${page}!important}
.card{background:${surface}!important;border-color:${line}!important}
.ink{color:${ink}!important}
.muted{color:${muted}!important}
.link{color:${accent}!important}
.code{background:${soft}!important;color:${accent}!important}
}`;

/** A link that shows its whole address, on as many lines as it takes: people compare it before they press. */
const linkOf = (link: string, { accent }: ThemeTokens) =>
  `<a class="link" href="${escapeHtml(link)}" style="color:${accent};text-decoration:underline;display:inline-block;word-break:break-all">${escapeHtml(link)}</a>`;

const paragraphOf = (text: string, tokens: ThemeTokens, { highlight, link }: MailInput) => {
  const { ink, soft, accent } = tokens;
  if (text === highlight)
    return `<p class="code" style="margin:24px 0;padding:16px;border-radius:12px;background:${soft};color:${accent};font-size:32px;font-weight:700;letter-spacing:6px;text-align:center;font-variant-numeric:tabular-nums">${escapeHtml(text)}</p>`;
  const words = link ? text.split(link).map(escapeHtml).join(linkOf(link, tokens)) : escapeHtml(text);
  return `<p class="ink" style="margin:16px 0;color:${ink};font-size:16px;line-height:1.6">${words}</p>`;
};

/**
 * The HTML part of a mail, in the brand's colours, with the words of the text part. It loads nothing, so it looks the
 * same where images are blocked, and links only to addresses that its text shows.
 */
export const renderMail = (input: MailInput): string => {
  const { locale, brand, subject, paragraphs } = input;
  const { light, dark } = brand.tokens;
  const name = escapeHtml(brand.name);
  const body = paragraphs.map((text) => paragraphOf(text, light, input)).join('\n');
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${darkStyle(dark)}</style>
</head>
<body class="page" style="margin:0;padding:24px 12px;background:${light.page};font-family:${fonts}">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0"><tr><td align="center">
<table role="presentation" cellspacing="0" cellpadding="0" style="width:100%;max-width:520px"><tr>
<td class="card" style="padding:28px;border:1px solid ${light.line};border-radius:16px;background:${light.surface}">
<p class="ink" style="margin:0 0 8px;color:${light.ink};font-size:20px;font-weight:700">${name}</p>
${body}
<p class="muted" style="margin:24px 0 0;color:${light.muted};font-size:14px">${name}${brand.support ? supportLink(brand.support, light) : ''}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
};
