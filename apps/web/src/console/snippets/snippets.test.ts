import { expect, test } from 'vitest';
import { fillIn, stacks, stacksFor } from './snippets.ts';

const values = {
  issuer: 'https://accounts.example',
  clientId: 'k3fJ_9-x',
  redirectUri: 'https://mine.example/back',
};

test.each(stacks)('the program for $label has the client’s own id and this issuer', async ({ load }) => {
  const { program, environment } = fillIn((await load()).default, values);
  const all = `${environment}\n${program}`;
  expect(all).toContain(values.clientId);
  expect(all).toContain(values.issuer);
  expect(all).not.toContain('id.example');
  expect(all).not.toContain('http://localhost');
});

test('a library whose name is the id of its example is still imported by its name', async () => {
  const page =
    '```json\n{"client_id":"a","redirect_uris":["https://app.example/callback"]}\n```\n```js\nimport a from "a";\nuse("https://app.example/callback", "https://app.example", "a", "https://id.example", env.CLIENT_SECRET)\n```\n';
  expect(fillIn(page, values)).toEqual({
    program:
      'import a from "a";\nuse("https://mine.example/back", "https://mine.example", "k3fJ_9-x", "https://accounts.example", env.CLIENT_SECRET)\n',
    environment: 'CLIENT_SECRET=',
  });
});

test('each kind of app has a stack, but for what is configured at a platform', () => {
  expect(stacksFor(undefined).map(({ id }) => id)).toContain('openid-client');
  expect(stacksFor('spa').map(({ id }) => id)).toEqual(['oidc-client-ts']);
  expect(stacksFor('alexa')).toEqual([]);
});
