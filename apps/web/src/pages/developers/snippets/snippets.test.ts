import { expect, test } from 'vitest';
import { fillIn, stacks, stacksFor } from './snippets.ts';

const values = {
  issuer: 'https://accounts.example',
  clientId: 'k3fJ_9-x',
  redirectUri: 'https://mine.example/back',
};

test.each(stacks)('the program for $label has the client’s own id and this issuer', async ({ load }) => {
  const text = fillIn((await load()).default, values);
  expect(text).toContain(values.clientId);
  expect(text).toContain(values.issuer);
  expect(text).not.toContain('id.example');
  expect(text).not.toContain('app.example');
});

test('a library whose name is the id of its example is still imported by its name', async () => {
  const [first] = stacks;
  const text = fillIn((await first?.load())?.default ?? '', values);
  expect(text).toContain("from 'openid-client'");
  expect(text).toContain("'k3fJ_9-x',\n");
});

test('a redirect URI replaces that of the page, and its origin that of the app', async () => {
  const text = fillIn(
    '```json\n{"client_id":"a","redirect_uris":["https://app.example/callback"]}\n```\n```js\nuse("https://app.example/callback", "https://app.example", "a", "https://id.example")\n```\n',
    values,
  );
  expect(text).toBe(
    'use("https://mine.example/back", "https://mine.example", "k3fJ_9-x", "https://accounts.example")\n',
  );
});

test('each kind of app has a stack, but for what is configured at a platform', () => {
  expect(stacksFor(undefined).map(({ id }) => id)).toContain('openid-client');
  expect(stacksFor('spa').map(({ id }) => id)).toEqual(['oidc-client-ts']);
  expect(stacksFor('alexa')).toEqual([]);
});
