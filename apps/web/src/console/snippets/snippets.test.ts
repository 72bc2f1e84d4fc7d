import { expect, test } from 'vitest';
import { envFile } from '../made-secret.ts';
import { fillIn, stacks, stacksFor } from './snippets.ts';

const values = {
  issuer: 'https://accounts.example',
  clientId: 'k3fJ_9-x',
  redirectUris: ['https://mine.example/back'],
  sessionSecret: 'made-in-the-page',
};

const filled = async (id: string, change: Partial<Parameters<typeof fillIn>[1]> = {}) => {
  const stack = stacks.find((one) => one.id === id);
  if (!stack) throw new Error(id);
  const snippet = fillIn((await stack.load()).default, { ...values, ...change }, stack.hasFixedPath);
  return { ...snippet, program: snippet.files.map(({ text }) => text).join('\n') };
};

/** The files that the commands or the library look for by their names. */
const written: Record<string, string[]> = {
  'openid-client': ['app.mjs'],
  'auth-js': ['app.mjs'],
  spring: ['src/main/resources/application.yml', 'src/main/java/com/example/App.java', 'pom.xml'],
  flask: ['app.py'],
  go: ['main.go'],
  'oidc-client-ts': ['app.js', 'index.html'],
  oauth2cli: ['main.go'],
};

test.each(stacks)('the program for $label is whole, and its files have their names', async ({ id }) => {
  const { files } = await filled(id);
  expect(files.map(({ name }) => name)).toEqual(written[id]);
});

test('a client id is one word of a shell, whichever an operator chose', async () => {
  const { environment } = await filled('go', { clientId: "o'brien & sons" });
  expect(environment).toContain(`CLIENT_ID='o'\\''brien & sons'`);
  const made = { clientId: "o'brien & sons", secret: 'k3-f_9' };
  expect(envFile(values.issuer, made)).toBe(
    `ISSUER=https://accounts.example\nCLIENT_ID='o'\\''brien & sons'\nCLIENT_SECRET=k3-f_9\n`,
  );
});

test.each(stacks)('the program for $label has the client’s own id and this issuer', async ({ id }) => {
  const { program, environment } = await filled(id);
  const all = `${environment}\n${program}`;
  expect(all).toContain(values.clientId);
  expect(all).toContain(values.issuer);
  expect(all).not.toContain('id.example');
  expect(all).not.toContain('http://localhost');
});

/** A variable where a program reads it. */
const READ =
  /process\.env\.(\w+)|os\.environ\["(\w+)"\]|os\.Getenv\("(\w+)"\)|\$\{(\w+)\}|\b([A-Z_]+)\b(?=[\w, ]*\} = process\.env)/g;

test.each(stacks)('the environment of $label has what its program reads', async ({ id }) => {
  const { program, environment, commands } = await filled(id);
  const read = [...program.matchAll(READ)].map((names) => names.slice(1).find(Boolean));
  const given = environment === '' ? [] : environment.split('\n').map((line) => line.split('=')[0]);
  expect([...given].sort()).toEqual([...new Set(read)].sort());
  expect(commands.includes('. ./.env')).toBe(read.length > 0);
  expect(commands).toMatch(/^(?:npm install|pip install|go mod|mvn) /m);
});

const fixed = {
  'auth-js': 'http://localhost:8081/auth/callback/candela',
  spring: 'http://localhost:8081/login/oauth2/code/candela',
  oauth2cli: 'http://localhost',
};
const free = stacks.filter(({ hasFixedPath }) => !hasFixedPath);

test.each(free)(
  'the program for $label listens at the port and the path of the redirect URI',
  async ({ id }) => {
    const redirectUri = 'http://localhost:8081/auth/cb';
    const { program, commands, missingRedirectUri } = await filled(id, { redirectUris: [redirectUri] });
    const all = `${program}\n${commands}`;
    expect(all).toContain(redirectUri);
    expect(all).not.toContain('8080');
    expect(all).not.toContain('/callback');
    expect(all).toMatch(/[^/]\b8081\b|localhost:8081"/);
    if (id !== 'oidc-client-ts') expect(program).toMatch(/\(['"]\/auth\/cb['"]/);
    expect(missingRedirectUri).toBeUndefined();
  },
);

test.each(Object.entries(fixed))('%s has a path of its own, which may be missing', async (id, uri) => {
  const missing = await filled(id, { redirectUris: ['http://localhost:8081/auth/cb'] });
  expect(missing.missingRedirectUri).toBe(uri);
  const known = await filled(id, { redirectUris: ['https://mine.example/back', uri] });
  expect(known.missingRedirectUri).toBeUndefined();
  expect(known.program).toBe(missing.program);
  expect(`${known.program}${known.commands}`).not.toContain('8080');
});

test('a redirect URI at a path that the program has for a page of its own is not served by it', async () => {
  const { program, missingRedirectUri } = await filled('openid-client', {
    redirectUris: ['http://localhost:8081/'],
  });
  expect(missingRedirectUri).toBe('http://localhost:8081/callback');
  expect(program).toContain("app.get('/callback'");
});

test('a client without a redirect URI is told the one of the program', async () => {
  expect((await filled('go', { redirectUris: [] })).missingRedirectUri).toBe(
    'http://localhost:8080/callback',
  );
});

test('a program signs out to an address that is registered, or to none', async () => {
  expect((await filled('oidc-client-ts')).program).not.toContain('post_logout_redirect_uri');
  const postLogoutRedirectUri = 'https://mine.example/bye';
  expect((await filled('oidc-client-ts', { postLogoutRedirectUri })).program).toContain(
    `post_logout_redirect_uri: '${postLogoutRedirectUri}',`,
  );
});

test('an issuer at the origin of the example stays the issuer', async () => {
  const issuer = 'http://localhost:8080';
  const { program, environment } = await filled('oidc-client-ts', { issuer });
  expect(`${program}${environment}`).toContain(`authority: '${issuer}'`);
});

test('a library whose name is the id of its example is still imported by its name', async () => {
  const page =
    '```json\n{"client_id":"a","redirect_uris":["https://app.example/callback"]}\n```\n\nAs `a.js`:\n\n```js\nimport a from "a";\nuse("https://app.example/callback", "https://app.example", "a", "https://id.example", env.CLIENT_SECRET)\n```\n';
  expect(fillIn(page, values)).toEqual({
    files: [
      {
        name: 'a.js',
        text: 'import a from "a";\nuse("https://mine.example/back", "https://mine.example", "k3fJ_9-x", "https://accounts.example", env.CLIENT_SECRET)\n',
      },
    ],
    environment: 'CLIENT_SECRET=',
    commands: '',
  });
});

test('each kind of app has a stack, but for what is configured at a platform', () => {
  expect(stacksFor(undefined).map(({ id }) => id)).toContain('openid-client');
  expect(stacksFor('spa').map(({ id }) => id)).toEqual(['oidc-client-ts']);
  expect(stacksFor('alexa')).toEqual([]);
});
