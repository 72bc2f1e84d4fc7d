import { expect, test } from 'vitest';
import { apiPathOf, commandLine, curlOf, runsHere, settingsOf } from './commands.ts';

test('a command quotes what the shell would read otherwise', () => {
  expect(commandLine('client', 'create', '--preset', 'web', '--name', "Lena's lamps; rm -rf $HOME")).toBe(
    "npx pnpm@12 candela client create --preset web --name 'Lena'\\''s lamps; rm -rf $HOME'",
  );
  expect(
    commandLine('client', 'update', 'app_1', '--set', 'redirect_uris=["https://a.example/?x=1&y=2"]'),
  ).toBe('npx pnpm@12 candela client update app_1 --set \'redirect_uris=["https://a.example/?x=1&y=2"]\'');
});

test('the command that lets a developer in can be pasted as it is', () => {
  expect(commandLine('developer', 'allow', '+8613800138000')).toBe(
    'npx pnpm@12 candela developer allow +8613800138000',
  );
});

test('a request takes its token from a variable', () => {
  expect(
    curlOf({ method: 'DELETE', url: 'https://id.example/api/clients/a', body: { confirm: 'A B' } }),
  ).toBe(
    [
      'curl -X DELETE https://id.example/api/clients/a \\',
      '  -H "Authorization: Bearer $TOKEN" \\',
      "  -H 'Content-Type: application/json' \\",
      '  -d \'{"confirm":"A B"}\'',
    ].join('\n'),
  );
  expect(curlOf({ method: 'POST', url: 'https://id.example/api/clients/a/enable' })).not.toContain('-d');
});

test('the id of a client is one segment of a path', () => {
  expect(apiPathOf('https://app.example/client.json?a=1')).toBe(
    '/api/clients/https%3A%2F%2Fapp.example%2Fclient.json%3Fa%3D1',
  );
  expect(curlOf({ method: 'POST', url: `https://id.example${apiPathOf("a'$(b)")}/enable` })).toBe(
    "curl -X POST 'https://id.example/api/clients/a'\\''%24(b)/enable' \\\n  -H \"Authorization: Bearer $TOKEN\"",
  );
});

test('a field that is cleared has an empty value', () => {
  expect(settingsOf({ tos_uri: null, client_name: 'Lamps', contacts: ['a'], require_pkce: true })).toEqual([
    ...['--set', 'tos_uri='],
    ...['--set', 'client_name=Lamps'],
    ...['--set', 'contacts=["a"]'],
    ...['--set', 'require_pkce=true'],
  ]);
});

test('commands run on the server are for a reader whose own machine serves the page', () => {
  for (const own of ['localhost', 'borealis.localhost', '127.0.0.1', '[::1]'])
    expect(runsHere(own)).toBe(true);
  for (const other of ['id.example', 'localhost.example', '127.0.0.1.example', '10.0.0.1'])
    expect(runsHere(other)).toBe(false);
});
