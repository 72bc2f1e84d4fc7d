import type { PresetName } from '@candela/contract/rules/client-presets';
import { quote } from '../commands.ts';

/** What a snippet is filled in with. */
export interface SnippetValues {
  issuer: string;
  clientId: string;
  redirectUris: readonly string[];
  /** The first of those registered; absent for a client that has none. */
  postLogoutRedirectUri?: string | undefined;
  /** A random value of this program’s own. */
  sessionSecret: string;
}

/** A stack that has a page in docs/integrating. Its snippet is the program of that page, which the tests run: all its files. */
export interface Stack {
  id: string;
  /** A name that is the same in every language. */
  label: string;
  /** The name of the page in docs/integrating. */
  page: string;
  /** The presets whose clients it suits. */
  presets: readonly PresetName[];
  /** Whether the library decides the path of the redirect URI. */
  hasFixedPath?: true;
  load: () => Promise<{ default: string }>;
}

const server = ['web', 'fapi'] as const satisfies readonly PresetName[];

/**
 * Every stack, the commonest first.
 * @internal exported for tests
 */
export const stacks: readonly Stack[] = [
  {
    id: 'openid-client',
    label: 'Node.js (openid-client)',
    page: 'openid-client.md',
    presets: server,
    load: () => import('../../../../../docs/integrating/openid-client.md?raw'),
  },
  {
    id: 'auth-js',
    label: 'Auth.js',
    page: 'auth-js.md',
    presets: ['web'],
    hasFixedPath: true,
    load: () => import('../../../../../docs/integrating/auth-js.md?raw'),
  },
  {
    id: 'spring',
    label: 'Spring',
    page: 'spring-security.md',
    presets: ['web'],
    hasFixedPath: true,
    load: () => import('../../../../../docs/integrating/spring-security.md?raw'),
  },
  {
    id: 'flask',
    label: 'Flask (Authlib)',
    page: 'authlib.md',
    presets: ['web'],
    load: () => import('../../../../../docs/integrating/authlib.md?raw'),
  },
  {
    id: 'go',
    label: 'Go',
    page: 'go-oidc.md',
    presets: ['web'],
    load: () => import('../../../../../docs/integrating/go-oidc.md?raw'),
  },
  {
    id: 'oidc-client-ts',
    label: 'oidc-client-ts',
    page: 'oidc-client-ts.md',
    presets: ['spa'],
    load: () => import('../../../../../docs/integrating/oidc-client-ts.md?raw'),
  },
  {
    id: 'oauth2cli',
    label: 'Go (oauth2cli)',
    page: 'oauth2cli.md',
    presets: ['native'],
    hasFixedPath: true,
    load: () => import('../../../../../docs/integrating/oauth2cli.md?raw'),
  },
];

/** The stacks for a client of a preset, or of none. */
export const stacksFor = (preset: PresetName | undefined): Stack[] =>
  stacks.filter(({ presets }) => presets.includes(preset ?? 'web'));

/** The blocks of a page. A block that is a file of the program has its name in the line before. */
const blocks = (page: string) =>
  [...page.matchAll(/(?:^([^\n]+)\n\n)?^```(\w+)\n(.*?)^```$/gms)].map(
    ([, lead = '', language = '', text = '']) => ({
      file: /`([\w./-]+\.\w+)`[^`]*$/.exec(lead)?.[1],
      language,
      text,
    }),
  );

/** What the pages of docs/integrating write in place of a developer's own values. */
const ISSUER = 'https://id\\.example|http://localhost:3000';

const originOf = (uri: string) => {
  const url = URL.parse(uri);
  return url && url.origin !== 'null' ? url.origin : undefined;
};

/** A program, and what it needs around it. */
export interface Snippet {
  /** The files of the program, in the order of the page. */
  files: readonly { name: string; text: string }[];
  /** The variables that the program reads, in the form of a file `.env`. */
  environment: string;
  /** The lines for a terminal that install, and that run the program with the file `.env`. */
  commands: string;
  /** The redirect URI that the program sends, where the client has not registered it. */
  missingRedirectUri?: string;
}

const NOT_PROGRAMS: readonly string[] = ['json', 'sh', 'text', 'console', 'ini', 'env'];

const environmentOf = (program: string, { issuer, clientId, sessionSecret }: SnippetValues): string => {
  const values: readonly (readonly [string, string])[] = [
    ['ISSUER', issuer],
    ['CLIENT_ID', clientId],
    ['CLIENT_SECRET', ''],
    ['SESSION_SECRET', sessionSecret],
  ];
  return values
    .filter(([name]) => program.includes(name))
    .map(([name, value]) => `${name}=${value && quote(value)}`)
    .join('\n');
};

const literally = (text: string) => text.replaceAll(/[^\w]/g, '\\$&');

/** The text as a whole string of a program. */
const quoted = (text: string) => `(?<=['"])${literally(text)}(?=['"])`;

/** Replaces all at once, so that no value is taken for what another one stands in for. The first pattern that fits counts. */
const replaceAllOf = (text: string, replacements: readonly (readonly [string, string])[]) =>
  text.replaceAll(new RegExp(replacements.map(([pattern]) => `(${pattern})`).join('|'), 'g'), (...found) => {
    const at = replacements.findIndex((_, index) => found[index + 1] !== undefined);
    return replacements[at]?.[1] ?? found[0];
  });

/** The port at which a program on the developer’s own machine listens; elsewhere a proxy stands before it. */
const portOf = ({ protocol, port }: URL) => (protocol === 'http:' ? port || '80' : undefined);

/** The redirect URI of the client that a program can serve, else the one that it would have. */
const redirectUriFor = (
  program: string,
  own: URL,
  redirectUris: readonly string[],
  hasFixedPath: boolean,
) => {
  // A program without a port listens at any, and sends its own address.
  const at = (origin: string) =>
    own.port === '' ? own.href.replace(/\/$/, '') : `${origin}${own.pathname}${own.search}`;
  const isServed = (uri: string) => {
    const origin = originOf(uri);
    const { pathname } = URL.parse(uri) ?? own;
    if (origin === undefined || hasFixedPath) return uri === at(origin ?? own.origin);
    return pathname === own.pathname || !new RegExp(quoted(pathname)).test(program);
  };
  const origin = redirectUris.map(originOf).find((known) => known !== undefined);
  return redirectUris.find(isServed) ?? at(origin ?? own.origin);
};

/**
 * The program of a page for a client: with its redirect URI, and the port and path of that; with its issuer and its
 * id, which are in the environment where the program reads them there.
 * @throws Error where the page has no registration or no program.
 */
export const fillIn = (page: string, values: SnippetValues, hasFixedPath = false): Snippet => {
  const { issuer, clientId, redirectUris, postLogoutRedirectUri } = values;
  const all = blocks(page);
  const registration = all.find(({ language }) => language === 'json');
  const written = all.flatMap(({ file, language, text }) =>
    file === undefined || NOT_PROGRAMS.includes(language) ? [] : [{ name: file, text }],
  );
  if (!registration || written.length === 0) throw new Error('the page has no registration or no program');
  const program = written.map(({ text }) => text).join('');
  const {
    client_id: id,
    redirect_uris: [uri],
  } = JSON.parse(registration.text) as { client_id: string; redirect_uris: [string] };
  const own = new URL(uri);
  const redirectUri = redirectUriFor(program, own, redirectUris, hasFixedPath);
  const used = URL.parse(redirectUri);
  const replacements: [string, string][] = [
    // The name of a package may be the id of the example: an import keeps it.
    [`(?<!from ['"])${quoted(id)}`, clientId],
    [ISSUER, issuer],
    [literally(uri), redirectUri],
  ];
  if (used) {
    replacements.push([literally(own.origin), originOf(redirectUri) ?? own.origin]);
    replacements.push([quoted(own.pathname), used.pathname]);
    if (own.port) replacements.push([`\\b${own.port}\\b`, portOf(used) ?? own.port]);
  }
  const fill = (text: string) =>
    text
      .split(/(?<=\n)/)
      .map((line) => {
        if (!line.includes('post_logout_redirect_uri')) return replaceAllOf(line, replacements);
        return postLogoutRedirectUri === undefined
          ? ''
          : replaceAllOf(line, [[literally(uri), postLogoutRedirectUri]]);
      })
      .join('');
  const run = all.findLast(({ language }) => language === 'sh')?.text ?? '';
  return {
    files: written.map(({ name, text }) => ({ name, text: fill(text) })),
    environment: environmentOf(program, values),
    commands: replaceAllOf(run.replace(/^export .*$/m, 'set -a; . ./.env; set +a'), replacements).trimEnd(),
    ...(!redirectUris.includes(redirectUri) && { missingRedirectUri: redirectUri }),
  };
};
