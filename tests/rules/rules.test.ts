import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFolderCycles } from './folder-cycles.ts';
import { codeOf, importsOf, isTest, readSources, type Source } from './sources.ts';

const server = 'apps/server/src';
const web = 'apps/web/src';
const contract = 'packages/contract/src';

/** The rooms of the pages, as ARCHITECTURE.md lists them: each may import those before it. */
const rooms = ['shell', 'flow', 'portal', 'console', 'desk'];

/** What may be imported where. Files are named by their path from the root, packages by their specifier. */
interface ImportRule {
  says: string;
  /** The files that the rule binds; tests are bound by none. */
  files: RegExp;
  /** The files among them that it leaves free. */
  but?: RegExp;
  /** It binds only those that import this too. */
  importing?: string;
  /** What they must not import. */
  never?: RegExp;
  /** All that they may import. */
  only?: (imported: string, importer: string) => boolean;
  /** Imports that the rule must refuse, so that a rule that sees nothing is noticed. */
  bad: [importer: string, imported: string][];
}

/** What a source's code must not say; comments may. */
interface TextRule {
  says: string;
  files: RegExp;
  but?: RegExp;
  never: RegExp;
  bad: [file: string, text: string][];
}

const layered = /\.(?:routes|service|repository|middleware|adapter)\.ts$/;

const importRules: ImportRule[] = [
  {
    says: 'the contract imports zod/mini and nothing else',
    files: new RegExp(`^${contract}/`),
    only: (imported) => imported === 'zod/mini' || imported.startsWith(`${contract}/`),
    bad: [
      [`${contract}/errors.ts`, 'node:path'],
      [`${contract}/errors.ts`, 'zod'],
      [`${contract}/errors.ts`, `${server}/ground/errors.ts`],
    ],
  },
  {
    says: 'what both the browser and the server run of the contract is free of zod',
    files: new RegExp(`^${contract}/(?:rules/|pages\\.ts|languages\\.ts)`),
    only: (imported) => new RegExp(`^${contract}/(?:rules/|pages\\.ts|languages\\.ts)`).test(imported),
    bad: [
      [`${contract}/rules/code.ts`, 'zod/mini'],
      [`${contract}/pages.ts`, `${contract}/account-api.ts`],
    ],
  },
  {
    says: 'the pages know the contract, never the server',
    files: new RegExp(`^${web}/`),
    never: /^(?:@candela\/server|koa|@koa|kysely|pg|oidc-provider|zod)(?:\/|$)|^node:|^apps\/server\//,
    bad: [
      [`${web}/shell/api/client.ts`, '@candela/server/config'],
      [`${web}/shell/frame/lamp.tsx`, '@candela/server'],
      [`${web}/shell/frame/lamp.tsx`, `${server}/ground/errors.ts`],
      [`${web}/routes.tsx`, 'node:path'],
    ],
  },
  {
    says: 'a room of the pages imports what is in rooms before it: shell, flow, portal, console, desk',
    files: new RegExp(`^${web}/(?:${rooms.join('|')})/`),
    only: (imported, importer) => isOpenToRoom(imported, importer),
    bad: [
      [`${web}/shell/a.ts`, `${web}/flow/a.ts`],
      [`${web}/flow/pages/a/a-page.tsx`, `${web}/portal/account/a.tsx`],
      [`${web}/portal/a/a.tsx`, `${web}/console/a.tsx`],
      [`${web}/console/a.tsx`, `${web}/desk/a.tsx`],
      [`${web}/console/a.tsx`, `${web}/routes.tsx`],
      [`${web}/console/a.tsx`, `${web}/a/a.ts`],
    ],
  },
  {
    says: 'what draws for any page knows neither the API nor a page',
    files: new RegExp(
      `^${web}/(?:shell/(?:frame|navigation|connection|chunk|kept-pages)|\\w+/(?:components|dialog))/`,
    ),
    never: new RegExp(`^${web}/(?:shell/api|\\w+/pages)/`),
    bad: [
      [`${web}/shell/components/a.tsx`, `${web}/shell/api/client.ts`],
      [`${web}/shell/frame/a.tsx`, `${web}/shell/api/client.ts`],
      [`${web}/portal/dialog/a.tsx`, `${web}/flow/pages/login/login-page.tsx`],
    ],
  },
  {
    says: 'a page does not import another page',
    files: new RegExp(`^${web}/\\w+/pages/`),
    only: (imported, importer) => [undefined, pageOf(importer)].includes(pageOf(imported)),
    bad: [
      [`${web}/flow/pages/a/a-page.tsx`, `${web}/flow/pages/b/b-page.tsx`],
      [`${web}/portal/pages/a/a-page.tsx`, `${web}/flow/pages/a/a-page.tsx`],
    ],
  },
  {
    says: 'the server knows nothing of the pages, and zod as zod/mini',
    files: new RegExp(`^${server}/`),
    never: /^@candela\/web(?:\/|$)|^apps\/web\/|^zod(?!\/mini$)/,
    bad: [
      [`${server}/a/a.service.ts`, '@candela/web'],
      [`${server}/a/a.service.ts`, 'zod'],
      [`${server}/protocol/page/a.ts`, `${web}/i18n/en/flow.ts`],
    ],
  },
  {
    says: 'the playground knows neither the server nor the pages',
    files: /^apps\/playground\//,
    never: /^(?:@candela\/(?:server|web)|oidc-provider)(?:\/|$)|^apps\/(?:server|web)\//,
    bad: [
      ['apps/playground/src/app.ts', 'oidc-provider/types'],
      ['apps/playground/src/app.ts', '@candela/server'],
    ],
  },
  {
    says: 'only oidc/ and interaction/ know oidc-provider',
    files: new RegExp(`^${server}/`),
    but: new RegExp(`^${server}/protocol/(?:oidc|interaction)/`),
    never: /^oidc-provider(?:\/|$)/,
    bad: [
      [`${server}/app.ts`, 'oidc-provider'],
      [`${server}/a/a.routes.ts`, 'oidc-provider'],
    ],
  },
  {
    says: 'a route speaks to services, never to the database or the engine',
    files: /\.routes\.ts$/,
    never: /^(?:kysely|pg|oidc-provider)(?:\/|$)|\.(?:repository|table|adapter)\.ts$/,
    bad: [
      [`${server}/a/a.routes.ts`, `${server}/a/a.repository.ts`],
      [`${server}/a/a.routes.ts`, 'kysely'],
      [`${server}/protocol/interaction/a.routes.ts`, 'oidc-provider'],
    ],
  },
  {
    says: 'a service knows neither HTTP nor the engine',
    files: /\.service\.ts$/,
    never: new RegExp(
      `^(?:koa|@koa|oidc-provider)(?:/|-|$)|^${server}/(?:http|protocol/(?:page|oidc))/|\\.routes\\.ts$`,
    ),
    bad: [
      [`${server}/a/a.service.ts`, 'koa'],
      [`${server}/a/a.service.ts`, '@koa/router'],
      [`${server}/a/a.service.ts`, 'oidc-provider'],
      [`${server}/a/a.service.ts`, `${server}/http/request-state.ts`],
      [`${server}/a/a.service.ts`, `${server}/protocol/oidc/storage/unit.ts`],
    ],
  },
  {
    says: 'a repository knows kysely, the tables of its own folder, db/ and what has no layer',
    files: /\.repository\.ts$/,
    only: (imported, importer) => isOpenToRepositories(imported, importer),
    bad: [
      [`${server}/a/a.repository.ts`, `${server}/b/b.table.ts`],
      [`${server}/a/a.repository.ts`, `${server}/a/b.repository.ts`],
      [`${server}/a/a.repository.ts`, `${server}/a/a.service.ts`],
      [`${server}/a/a.repository.ts`, `${server}/http/same-origin.ts`],
      [`${server}/a/a.repository.ts`, 'pg'],
    ],
  },
  {
    says: 'a table knows the shapes of its columns and nothing that acts',
    files: /\.table\.ts$/,
    only: (imported) =>
      /^(?:kysely|@candela\/contract)(?:\/|$)/.test(imported) ||
      (imported.startsWith(`${server}/`) && !layered.test(imported)),
    bad: [
      [`${server}/a/a.table.ts`, `${server}/a/a.repository.ts`],
      [`${server}/a/a.table.ts`, 'koa'],
    ],
  },
  {
    says: 'an adapter serves the engine, never a request',
    files: /\.adapter\.ts$/,
    never: new RegExp(
      `^(?:koa|@koa)(?:/|-|$)|^${server}/(?:http|protocol/page)/|\\.(?:routes|middleware)\\.ts$`,
    ),
    bad: [
      [`${server}/protocol/oidc/storage/models/a.adapter.ts`, 'koa'],
      [`${server}/protocol/oidc/storage/models/a.adapter.ts`, `${server}/http/request-state.ts`],
    ],
  },
  {
    says: 'a file that handles the database knows no HTTP',
    files: new RegExp(`^${server}/(?!protocol/oidc/)`),
    importing: 'kysely',
    never: new RegExp(`^(?:koa|@koa)(?:/|-|$)|^${server}/(?:http|protocol/page)/`),
    bad: [
      [`${server}/a/limits.ts`, 'koa'],
      [`${server}/a/limits.ts`, `${server}/http/request-state.ts`],
    ],
  },
  {
    says: 'a migration depends on kysely and on nothing that changes',
    files: /^migrations\//,
    only: (imported) => /^(?:kysely|migrations)(?:\/|$)/.test(imported),
    bad: [
      ['migrations/0001-a.ts', `${server}/ground/db/database.ts`],
      ['migrations/0001-a.ts', '@candela/contract'],
    ],
  },
];

/** What the engine does not document, as code spells it. */
const undocumented = [
  /Provider\.ctx|oidc-provider\/lib|Reflect\.construct|\.prototype\b/,
  /compareClientSecret|\.backchannelLogout\(|ReplayDetection'?\.unique|hash\('sha256', `/,
  /\btouched\b|op\.logoutForm|document\.forms\[0\]|state\??\.secret|lastSubmission/,
  /ctx\.url = |params\??\.scope (?:\?\?)?= /,
  /NoCodeError|NotFoundError|ExpiredError|AlreadyUsedError|AbortedError/,
];

const textRules: TextRule[] = [
  {
    says: 'only the composition root and the commands construct services',
    files: new RegExp(`^${server}/`),
    but: new RegExp(`^${server}/(?:operation/(?:commands|wiring)/|app\\.ts$|main\\.ts$|cli\\.ts$)`),
    never: /(?<!function )\bcreate\w*Service\(/g,
    bad: [[`${server}/a/a.routes.ts`, 'const accounts = createAccountService({ db });']],
  },
  {
    says: 'only oidc/provider.ts makes an engine',
    files: new RegExp(`^${server}/`),
    but: new RegExp(`^${server}/protocol/oidc/provider\\.ts$`),
    never: /\bnew Provider\(/g,
    bad: [[`${server}/protocol/interaction/a.ts`, 'const provider = new Provider(issuer, {});']],
  },
  {
    says: 'only ground/router.ts makes a router',
    files: new RegExp(`^${server}/`),
    but: new RegExp(`^${server}/ground/router\\.ts$`),
    never: /\bnew Router\(/g,
    bad: [[`${server}/a/a.routes.ts`, 'const router = new Router();']],
  },
  {
    says: 'only config/own-environment.ts reads the environment',
    files: /^(?:apps|packages)\//,
    // The second writes programs for developers.
    but: new RegExp(`^${server}/operation/config/own-environment\\.ts$|/try-it/trial-commands\\.ts$`),
    never: /\bprocess\s*(?:\.|\?\.)\s*env\b|\bprocess\[|import[^;]*\benv\b[^;]*'node:process'/g,
    bad: [
      [`${server}/ground/logger.ts`, 'const level = process.env.LOG_LEVEL;'],
      [`${server}/ground/logger.ts`, `import { env } from 'node:process';`],
    ],
  },
  {
    says: 'SQL stands in repositories and adapters, and in ground/db/, ground/paging/ and protocol/oidc/storage/, which they share',
    files: new RegExp(`^${server}/`),
    but: new RegExp(
      `\\.(?:repository|adapter)\\.ts$|^${server}/(?:ground/(?:db|paging)|protocol/oidc/storage)/`,
    ),
    never: /\bsql(?:<[^`]*>)?`|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/g,
    bad: [
      [`${server}/a/a.service.ts`, `db.selectFrom('a').select('b')`],
      [`${server}/a/a.ts`, 'sql<number>`select 1`'],
      [`${server}/protocol/oidc/provider.ts`, `db.deleteFrom('a')`],
    ],
  },
  {
    says: 'only the clock, the engine’s seam and the logger read the time of the process',
    files: new RegExp(`^${server}/`),
    but: new RegExp(`^${server}/(?:ground/(?:db/clock|logger)\\.ts$|protocol/oidc/seam/)`),
    never: /\bDate\.now\(\)|\bnew Date\(\)/g,
    bad: [
      [`${server}/a/a.service.ts`, 'const at = new Date();'],
      [`${server}/protocol/oidc/a.ts`, 'if (Date.now() > end) return;'],
    ],
  },
  {
    says: 'only oidc/seam/ reaches what the engine does not document',
    files: new RegExp(`^${server}/(?:protocol/(?:oidc|interaction)|person/session)/`),
    but: new RegExp(`^${server}/protocol/oidc/seam/`),
    never: new RegExp(undocumented.map(({ source }) => source).join('|'), 'g'),
    bad: [
      [`${server}/protocol/oidc/a.ts`, 'const ctx = Provider.ctx;'],
      [`${server}/protocol/oidc/a.ts`, `import nanoid from 'oidc-provider/lib/helpers/nanoid.js';`],
      [`${server}/protocol/oidc/a.ts`, 'client.compareClientSecret = matches;'],
      [`${server}/protocol/oidc/a.ts`, 'await client.backchannelLogout(accountId, sid);'],
      [`${server}/protocol/oidc/a.ts`, 'return Reflect.construct(Client, [metadata]);'],
      [`${server}/protocol/oidc/a.ts`, 'const { save } = provider.AccessToken.prototype;'],
      [`${server}/person/session/a.ts`, 'Object.assign(session, { touched: false });'],
      [`${server}/protocol/oidc/a.ts`, `const form = 'op.logoutForm';`],
      [`${server}/protocol/oidc/a.ts`, `body.includes('document.forms[0].submit()')`],
      [`${server}/protocol/oidc/a.ts`, `if (error.name === 'NoCodeError') return;`],
      [`${server}/protocol/oidc/a.ts`, `if (error.name === 'NotFoundError') return;`],
      [`${server}/protocol/oidc/a.ts`, `if (error.name === 'ExpiredError') return;`],
      [`${server}/protocol/oidc/a.ts`, `if (error.name === 'AlreadyUsedError') return;`],
      [`${server}/protocol/oidc/a.ts`, `if (error.name === 'AbortedError') return;`],
      [`${server}/protocol/oidc/a.ts`, 'ctx.url = path;'],
      [`${server}/protocol/oidc/a.ts`, 'params.scope = scope;'],
      [`${server}/protocol/oidc/a.ts`, 'oidc.params.scope ??= scope;'],
      [`${server}/protocol/interaction/a.ts`, 'return interaction.lastSubmission;'],
      [`${server}/person/session/a.ts`, 'const secret = session.state?.secret;'],
      [`${server}/protocol/oidc/a.ts`, 'await provider.ReplayDetection.unique(id, jti, exp);'],
      [`${server}/protocol/oidc/a.ts`, `hash('sha256', \`\${issuer}\${jti}\`, 'base64url')`],
    ],
  },
  {
    says: 'one file reads the current context of the engine',
    files: new RegExp(`^${server}/`),
    but: new RegExp(`^${server}/protocol/oidc/seam/engine-request\\.ts$`),
    never: /Provider\.ctx/g,
    bad: [
      [`${server}/protocol/oidc/seam/a.ts`, 'const ctx = Provider.ctx;'],
      [`${server}/protocol/oidc/models/a.adapter.ts`, 'const { route } = Provider.ctx.oidc;'],
    ],
  },
  {
    says: 'the unit of work casts nothing',
    files: new RegExp(`^${server}/protocol/oidc/(?:storage/|models/|adapters\\.ts$|unit\\.middleware\\.ts$)`),
    never: /\bas (?:never|unknown as|any)\b/g,
    bad: [
      [`${server}/protocol/oidc/storage/a.ts`, 'return values as never;'],
      [`${server}/protocol/oidc/models/a.adapter.ts`, 'return row as unknown as Payload;'],
      [`${server}/protocol/oidc/adapters.ts`, 'const adapter = made as any;'],
      [`${server}/protocol/oidc/unit.middleware.ts`, 'next(ctx as never);'],
    ],
  },
  {
    says: 'what happened to an account is added to, and never changed; the sweep alone deletes it',
    files: new RegExp(`^${server}/`),
    never:
      /\bupdateTable\('activity(?:_dispute)?'\)|\bdeleteFrom\('activity\w*'\)|\bupdate activity(?:_dispute)?\b|\bdelete from activity\w*/g,
    bad: [
      [`${server}/a/a.repository.ts`, `db.updateTable('activity').set(b)`],
      [`${server}/a/a.repository.ts`, `db.deleteFrom('activity_dispute')`],
      [`${server}/a/a.repository.ts`, 'sql`update activity set kind = 1`'],
      [`${server}/a/a.repository.ts`, 'sql`delete from activity where id = 1`'],
    ],
  },
  {
    says: 'a statement of the server names its columns',
    files: new RegExp(`^${server}/`),
    never: /\b(?:select|returning)(?:All\(|\s+(?:\w+\.)?\*(?! from jsonb_to_recordset\())/g,
    bad: [
      [`${server}/a/a.repository.ts`, `db.selectFrom('a').selectAll().execute();`],
      [`${server}/a/a.repository.ts`, `db.selectFrom('a').selectAll('a').execute();`],
      [`${server}/a/a.adapter.ts`, `db.updateTable('a').set(b).returningAll();`],
      [`${server}/a/a.repository.ts`, 'sql`select * from a`'],
      [`${server}/a/a.repository.ts`, 'sql`select a.*, b.id from a, b`'],
      [`${server}/a/a.repository.ts`, 'sql`delete from a\n  returning *`'],
    ],
  },
];

const sources = readSources();
const bound = sources.filter(({ path }) => !isTest(path));

const applies = ({ files, but }: { files: RegExp; but?: RegExp }, path: string): boolean =>
  files.test(path) && !but?.test(path);

const isRefused = ({ never, only }: ImportRule, imported: string, importer: string): boolean =>
  never?.test(imported) === true || only?.(imported, importer) === false;

const breachesOfImports = (rule: ImportRule, source: Source): string[] => {
  const imports = importsOf(source);
  const isBound = applies(rule, source.path) && (!rule.importing || imports.includes(rule.importing));
  return isBound ? imports.filter((imported) => isRefused(rule, imported, source.path)) : [];
};

const breachesOfText = (rule: TextRule, source: Source): string[] =>
  applies(rule, source.path) ? (codeOf(source).match(rule.never) ?? []) : [];

const inAll = (breachesOf: (source: Source) => string[]): string[] =>
  bound.flatMap((source) => breachesOf(source).map((breach) => `${source.path}: ${breach}`));

describe.each(importRules)('$says', (rule) => {
  it('is obeyed by every source', () => {
    expect(inAll((source) => breachesOfImports(rule, source))).toEqual([]);
  });

  it.each(rule.bad)('refuses that %s imports %s', (path, imported) => {
    const text = `import type { A } from '${rule.importing ?? 'a'}';import type { B } from '${imported}';`;
    expect(breachesOfImports(rule, { path, text })).toContain(imported);
  });
});

describe.each(textRules)('$says', (rule) => {
  it('is obeyed by every source', () => {
    expect(inAll((source) => breachesOfText(rule, source))).toEqual([]);
  });

  it.each(rule.bad)('refuses that %s says %s', (path, text) => {
    expect(breachesOfText(rule, { path, text })).toHaveLength(1);
  });
});

describe('folders form no cycle', () => {
  it('is obeyed by every folder', () => {
    expect(findFolderCycles(bound)).toEqual([]);
  });

  it('refuses two folders that need each other, by whatever files', () => {
    const fixture = [
      { path: 'a/b/c.ts', text: `import { d } from '../e/d.ts';` },
      { path: 'a/e/f/g.ts', text: `import type { H } from '../../b/h.ts';` },
      { path: 'a/e/d.ts', text: '' },
      { path: 'a/b/h.ts', text: '' },
    ];
    expect(findFolderCycles(fixture)).toEqual(['a: b, e']);
  });

  it('refuses a file that needs its subfolder, which needs the file', () => {
    const fixture = [
      { path: 'a/b.ts', text: `import { d } from './c/d.ts';` },
      { path: 'a/c/d.ts', text: `const b = await import('../b.ts');` },
    ];
    expect(findFolderCycles(fixture)).toEqual(['a: b.ts, c']);
  });

  it('allows one folder to need another', () => {
    const fixture = [
      { path: 'a/b/c.ts', text: `import { e } from '../d/e.ts';` },
      { path: 'a/d/e.ts', text: '' },
      { path: 'a/f.ts', text: `import { e } from './d/e.ts';\nimport { c } from './b/c.ts';` },
    ];
    expect(findFolderCycles(fixture)).toEqual([]);
  });
});

function isOpenToRepositories(imported: string, importer: string): boolean {
  if (!imported.startsWith(`${server}/`))
    return /^(?:node:|(?:kysely|@candela\/contract)(?:\/|$))/.test(imported);
  if (imported.endsWith('.table.ts')) return dirname(imported) === dirname(importer);
  return !imported.startsWith(`${server}/http/`) && !layered.test(imported);
}

function pageOf(path: string): string | undefined {
  return new RegExp(`^${web}/(\\w+/pages/[^/]+)/`).exec(path)?.[1];
}

function isOpenToRoom(imported: string, importer: string): boolean {
  const roomOf = (path: string): number => rooms.indexOf(path.slice(web.length).split('/')[1] ?? '');
  if (!imported.startsWith(`${web}/`) || imported.startsWith(`${web}/i18n/`)) return true;
  return roomOf(imported) >= 0 && roomOf(imported) <= roomOf(importer);
}
