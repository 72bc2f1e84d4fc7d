import { Marked, type RendererObject, type Tokens } from 'marked';

/** A page of docs/integrating, as the server shows it. */
export interface WrittenPage {
  title: string;
  /** The page without its title. Nothing of the source is markup: what looks like it is text. */
  html: string;
  /** The headings of the second level, by anchor. */
  contents: { anchor: string; title: string }[];
}

/** Where the pages stand on a brand's origin; the page about all of them has this address itself. */
const HOME = '/developers/docs';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeText = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

/** The anchor that a heading gets on the pages of a repository's host too. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** The name of a page in its address; the page about all pages has none. */
export const nameOf = (file: string): string => (file === 'README.md' ? '' : file.replace(/\.md$/, ''));

/** Where a link of a page leads; undefined where nothing that the server shows is there. */
const addressOf = (link: string): string | undefined => {
  if (/^https?:\/\//.test(link)) return link;
  const [, file, anchor = ''] = /^([\w.-]+\.md)?(#[^\s"<>]+)?$/.exec(link) ?? [];
  if (file === undefined) return anchor || undefined;
  return `${[HOME, nameOf(file)].filter(Boolean).join('/')}${anchor}`;
};

/** The roles are said, because tables of narrow windows are drawn as lists. */
const row = (cells: readonly string[]) => `<tr role="row">${cells.join('')}</tr>`;

const renderer: RendererObject = {
  html: ({ text }) => escapeText(text),
  image: ({ text }) => escapeText(text),
  heading({ tokens, depth, text }) {
    return `<h${depth} id="${escapeText(anchorOf(text))}" tabindex="-1">${this.parser.parseInline(tokens)}</h${depth}>\n`;
  },
  link({ href, tokens }) {
    const address = addressOf(href);
    const text = this.parser.parseInline(tokens);
    return address === undefined ? text : `<a href="${escapeText(address)}">${text}</a>`;
  },
  code: ({ text, lang = '' }) =>
    `<div class="code"><pre translate="no"><code data-language="${escapeText(lang)}">${escapeText(text)}\n</code></pre></div>\n`,
  table({ header, rows }) {
    const inline = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
    const head = header.map((cell) =>
      cell.text ? `<th role="columnheader" scope="col">${inline(cell)}</th>` : '<td role="cell"></td>',
    );
    const body = rows.map((cells) =>
      row(
        cells.map(
          (cell, index) =>
            `<td role="cell" data-label="${escapeText(header[index]?.text ?? '')}"><div>${inline(cell)}</div></td>`,
        ),
      ),
    );
    return `<table role="table"><thead role="rowgroup">${row(head)}</thead><tbody role="rowgroup">${body.join('\n')}</tbody></table>\n`;
  },
};

const marked = new Marked({ gfm: true, renderer });

/**
 * Renders a page of docs/integrating.
 * @throws Error where the page does not begin with its title.
 */
export const writePage = (markdown: string): WrittenPage => {
  const [title, ...rest] = marked.lexer(markdown);
  if (title?.type !== 'heading' || title.depth !== 1)
    throw new Error('the page does not begin with its title');
  const contents = rest
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 2)
    .map(({ text }) => ({ anchor: anchorOf(text), title: text.replaceAll('`', '') }));
  return { title: title.text.replaceAll('`', ''), html: marked.parser(rest), contents };
};
