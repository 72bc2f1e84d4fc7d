import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { guideTo } from '../apps/web/src/console/trouble/remedies.ts';
import { nameOf, writePage } from '../apps/web/written-documentation.ts';
import { platformPresets } from '../packages/contract/src/rules/client-presets.ts';
import { clientErrorKinds } from '../packages/contract/src/schemas/client.ts';

const root = join(import.meta.dirname, '..');
const sources = globSync('docs/integrating/*.md', { cwd: root }).sort();
const pages = new Map(
  sources.map((path) => [nameOf(basename(path)), writePage(readFileSync(join(root, path), 'utf8'))]),
);
const idsOf = (name: string) =>
  [...(pages.get(name)?.html ?? '').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
const HOME = '/developers/docs';
const shows = (address: string): boolean => {
  const [path = '', anchor] = address.split('#');
  const name = path === HOME ? '' : path.replace(`${HOME}/`, '');
  return pages.has(name) && (anchor === undefined || idsOf(name).includes(anchor));
};

describe('the documentation as the server shows it', () => {
  test.each([...pages])(
    'each link of "%s" leads to a heading of a page, or out of the documentation',
    (name, page) => {
      const links = [...page.html.matchAll(/ href="([^"]*)"/g)].map(([, link = '']) => link);
      const broken = links.filter((link) =>
        link.startsWith('#') ? !idsOf(name).includes(link.slice(1)) : !/^https?:/.test(link) && !shows(link),
      );
      expect(broken).toEqual([]);
      expect(page.contents.filter(({ anchor }) => !idsOf(name).includes(anchor))).toEqual([]);
      expect(new Set(idsOf(name)).size).toBe(idsOf(name).length);
    },
  );

  test('has the page that each kind of error and each link of the console leads to', () => {
    const console = globSync('apps/web/src/console/**/*.{ts,tsx}', { cwd: root }).map((path) =>
      readFileSync(join(root, path), 'utf8'),
    );
    const named = console.flatMap((text) => [
      ...[...text.matchAll(/<DocsLink\s+to="([^"]+)"/g)].map(([, to = '']) => to),
      ...[...text.matchAll(/^ {4}page: '([\w-]+\.md)',$/gm)].map(([, file = '']) => nameOf(file)),
    ]);
    expect(named.length).toBeGreaterThan(8);
    const platforms = platformPresets.map((preset) => `platforms#${preset}`);
    const wanted = [...named, ...platforms, ...clientErrorKinds.map(guideTo)];
    expect(wanted.filter((to) => !shows(`${HOME}/${to}`))).toEqual([]);
  });
});

describe('the pages as they are read in the repository', () => {
  const all = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).sort();
  /** A pipe in a cell is written with a backslash, or in a word of code. */
  const cellsOf = (row: string) => row.replaceAll(/`[^`]*`|\\\|/g, '').split('|').length;

  test.each(all)('each row of a table of %s has the cells of its head', (path) => {
    const lines = readFileSync(join(root, path), 'utf8').split('\n');
    const wrong = lines.filter((row, index) => {
      const before = lines[index - 1] ?? '';
      return row.startsWith('|') && before.startsWith('|') && cellsOf(row) !== cellsOf(before);
    });
    expect(wrong).toEqual([]);
  });
});

describe('a page', () => {
  const write = (text: string) => writePage(`# Title\n\n${text}`).html;

  test.each([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['a <img src=x onerror=alert(1)> b', '<p>a &lt;img src=x onerror=alert(1)&gt; b</p>\n'],
    ['`<b>`', '<p><code>&lt;b&gt;</code></p>\n'],
    ['![<b>](javascript:alert(1))', '<p>&lt;b&gt;</p>\n'],
    ['[a](javascript:alert(1))', '<p>a</p>\n'],
    ['[a](data:text/html,x)', '<p>a</p>\n'],
    ['[a](//evil.example)', '<p>a</p>\n'],
    ['[a](../operating/proxy.md)', '<p>a</p>\n'],
    ['[a](tokens.md#x"onclick="y)', '<p>a</p>\n'],
    ['[a](https://a.example/"x)', '<p><a href="https://a.example/&quot;x">a</a></p>\n'],
    ['[a](README.md#b)', '<p><a href="/developers/docs#b">a</a></p>\n'],
    ['[a](tokens.md#b)', '<p><a href="/developers/docs/tokens#b">a</a></p>\n'],
    ['```js" onclick="x\n<b>&\n```', 'data-language="js&quot; onclick=&quot;x">&lt;b&gt;&amp;\n</code>'],
    [
      '## How do I `do` it (2)?',
      '<h2 id="how-do-i-do-it-2" tabindex="-1">How do I <code>do</code> it (2)?</h2>\n',
    ],
    ['| a"b | c |\n| --- | --- |\n| <i> | |', 'data-label="a&quot;b"><div>&lt;i&gt;</div></td>'],
  ])('%s becomes %s', (text, html) => {
    expect(write(text)).toContain(html);
  });

  test('without a title is refused', () => {
    expect(() => writePage('## Only a part')).toThrow('title');
  });
});
