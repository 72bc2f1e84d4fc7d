import { expect, test } from 'vitest';
import { fillHtml, html, raw } from './html.ts';

test('a value is escaped, whatever it contains', () => {
  const name = `<b>"O'Hara & Co"</b>`;
  expect(html`<p title="${name}">${name}</p>`.markup).toBe(
    '<p title="&lt;b&gt;&quot;O&#39;Hara &amp; Co&quot;&lt;/b&gt;">&lt;b&gt;&quot;O&#39;Hara &amp; Co&quot;&lt;/b&gt;</p>',
  );
});

test('the markup of a template stays as it is in another template, and so does a value of `raw`', () => {
  expect(html`<p>${html`<b>${'<'}</b>`}${raw('<hr>')}</p>`.markup).toBe('<p><b>&lt;</b><hr></p>');
});

test('an object that imitates markup is escaped', () => {
  const lookalike = JSON.parse('{"markup":"<script>","map":null}');
  expect(() => html`${lookalike}`).toThrow(TypeError);
});

test('a list shows its parts, undefined shows nothing, and zero shows 0', () => {
  expect(html`${['<', html`<br>`, ['a', undefined]]}${undefined}${false}${0}`.markup).toBe('&lt;<br>a0');
});

test('a text with placeholders is escaped, and so are the values that fill it', () => {
  const filled = fillHtml('<{{app}}> & {{link}}{{nobody}}', { app: '<i>', link: html`<a>x</a>` });
  expect(filled.markup).toBe('&lt;&lt;i&gt;&gt; &amp; <a>x</a>');
});
