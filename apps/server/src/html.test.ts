import { expect, test } from 'vitest';
import { fillHtml, html, raw } from './html.ts';

test('a value is text, whatever stands in it', () => {
  const name = `<b>"O'Hara & Co"</b>`;
  expect(html`<p title="${name}">${name}</p>`.markup).toBe(
    '<p title="&lt;b&gt;&quot;O&#39;Hara &amp; Co&quot;&lt;/b&gt;">&lt;b&gt;&quot;O&#39;Hara &amp; Co&quot;&lt;/b&gt;</p>',
  );
});

test('markup of a template stands in another as it is, and so does what raw vouches for', () => {
  expect(html`<p>${html`<b>${'<'}</b>`}${raw('<hr>')}</p>`.markup).toBe('<p><b>&lt;</b><hr></p>');
});

test('an object that only looks like markup is none', () => {
  const lookalike = JSON.parse('{"markup":"<script>","map":null}');
  expect(() => html`${lookalike}`).toThrow(TypeError);
});

test('lists show their parts, nothing shows nothing, and zero is a number', () => {
  expect(html`${['<', html`<br>`, ['a', undefined]]}${undefined}${false}${0}`.markup).toBe('&lt;<br>a0');
});

test('a filled text is escaped, and so are the texts that fill it', () => {
  const filled = fillHtml('<{{app}}> & {{link}}{{nobody}}', { app: '<i>', link: html`<a>x</a>` });
  expect(filled.markup).toBe('&lt;&lt;i&gt;&gt; &amp; <a>x</a>');
});
