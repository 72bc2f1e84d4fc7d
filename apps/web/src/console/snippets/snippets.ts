import type { PresetName } from '@candela/contract/rules/client-presets';

/** What a snippet is filled in with. */
export interface SnippetValues {
  issuer: string;
  clientId: string;
  /** The first redirect URI; absent for a client that has none. */
  redirectUri?: string | undefined;
}

/** A stack that has a page in docs/integrating. Its snippet is the program of that page, which the tests run. */
export interface Stack {
  id: string;
  /** A name that is the same in every language. */
  label: string;
  /** The name of the page in docs/integrating. */
  page: string;
  /** The presets whose clients it suits. */
  presets: readonly PresetName[];
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
    load: () => import('../../../../../docs/integrating/auth-js.md?raw'),
  },
  {
    id: 'spring',
    label: 'Spring',
    page: 'spring-security.md',
    presets: ['web'],
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
    load: () => import('../../../../../docs/integrating/oauth2cli.md?raw'),
  },
];

/** The stacks for a client of a preset, or of none. */
export const stacksFor = (preset: PresetName | undefined): Stack[] =>
  stacks.filter(({ presets }) => presets.includes(preset ?? 'web'));

const blocks = (page: string) =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }));

/** What the pages of docs/integrating write in place of a developer's own values. */
const ISSUER = /https:\/\/id\.example|http:\/\/localhost:3000/g;

const originOf = (uri: string) => {
  const url = URL.parse(uri);
  return url && url.origin !== 'null' ? url.origin : undefined;
};

/** A program, and the variables of its environment in the form of a file `.env`. */
export interface Snippet {
  program: string;
  environment: string;
}

const NOT_PROGRAMS: readonly string[] = ['json', 'sh', 'text', 'console', 'ini', 'env'];

const environmentOf = (program: string, { issuer, clientId }: SnippetValues): string => {
  const values: readonly (readonly [string, string])[] = [
    ['ISSUER', issuer],
    ['CLIENT_ID', clientId],
    ['CLIENT_SECRET', ''],
  ];
  return values
    .filter(([name]) => program.includes(name))
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
};

/**
 * The program of a page for a client: with its redirect URI, its issuer and its id, which are in the environment where
 * the program reads them there.
 * @throws Error where the page has no registration or no program.
 */
export const fillIn = (page: string, values: SnippetValues): Snippet => {
  const { issuer, clientId, redirectUri } = values;
  const all = blocks(page);
  const registration = all.find(({ language }) => language === 'json');
  const program = all.find(({ language }) => !NOT_PROGRAMS.includes(language));
  if (!registration || !program) throw new Error('the page has no registration or no program');
  const { client_id: id, redirect_uris: uris = [] } = JSON.parse(registration.text) as {
    client_id: string;
    redirect_uris?: string[];
  };
  const escaped = id.replaceAll(/[^\w]/g, '\\$&');
  let text = program.text
    // The name of a package may be the id of the example: an import keeps it.
    .replaceAll(new RegExp(`(?<!from )(['"])${escaped}(?=['"])`, 'g'), (_, quote: string) => quote + clientId)
    .replaceAll(ISSUER, () => issuer);
  const [uri] = uris;
  if (uri !== undefined && redirectUri !== undefined) {
    text = text.replaceAll(uri, () => redirectUri);
    const [from, to] = [originOf(uri), originOf(redirectUri)];
    if (from !== undefined && to !== undefined) text = text.replaceAll(from, () => to);
  }
  return { program: text, environment: environmentOf(text, values) };
};
