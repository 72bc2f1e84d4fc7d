import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Source {
  /** From the root of the repository, with slashes. */
  path: string;
  text: string;
}

interface Rule {
  says: string;
  /** What breaks the rule in a source; nothing if it is obeyed or does not concern that source. */
  breaches(source: Source): string[];
  /** Sources that must be refused, so that a rule that sees nothing is noticed. */
  bad: Source[];
}

const server = 'apps/server/src';
const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);
const startsWithAny = (text: string, starts: string[]): boolean =>
  starts.some((start) => text.startsWith(start));
const isPackage = (imported: string, ...names: string[]): boolean =>
  names.some((name) => imported === name || imported.startsWith(`${name}/`));

const rules: Rule[] = [
  {
    says: 'a service knows neither koa nor oidc-provider',
    breaches: ({ path, text }) =>
      path.endsWith('.service.ts')
        ? imports(path, text).filter((imported) => isPackage(imported, 'koa', '@koa', 'oidc-provider'))
        : [],
    bad: [
      { path: `${server}/a/a.service.ts`, text: `import type { Context } from 'koa';` },
      { path: `${server}/a/a.service.ts`, text: `import { Router } from '@koa/router';` },
      { path: `${server}/a/a.service.ts`, text: `const { errors } = await import('oidc-provider');` },
    ],
  },
  {
    says: 'a repository knows kysely, the tables of its own folder, db/ and what has no layer',
    breaches: ({ path, text }) =>
      path.endsWith('.repository.ts')
        ? imports(path, text).filter((imported) => !isOpenToRepositories(path, imported))
        : [],
    bad: [
      { path: `${server}/a/a.repository.ts`, text: `import type { BRow } from '../b/b.table.ts';` },
      { path: `${server}/a/a.repository.ts`, text: `import { findB } from './b.repository.ts';` },
      { path: `${server}/a/a.repository.ts`, text: `import { createA } from './a.service.ts';` },
      { path: `${server}/a/a.repository.ts`, text: `import { sameOrigin } from '../http/same-origin.ts';` },
      { path: `${server}/a/a.repository.ts`, text: `import pg from 'pg';` },
    ],
  },
  {
    says: 'only app.ts, main.ts, wiring/, cli.ts and its commands construct',
    breaches: ({ path, text }) =>
      path.startsWith(server) &&
      !isTest(path) &&
      !startsWithAny(path, [`${server}/commands/`, `${server}/wiring/`]) &&
      ![`${server}/app.ts`, `${server}/main.ts`].includes(path)
        ? constructions(path, text)
        : [],
    bad: [
      { path: `${server}/a/a.routes.ts`, text: 'const accounts = createAccountService({ db });' },
      { path: `${server}/interaction/a.ts`, text: 'const provider = new Provider(issuer, {});' },
    ],
  },
  {
    says: 'only config.ts reads the environment',
    breaches: ({ path, text }) =>
      path !== `${server}/config/config.ts` && !isTest(path)
        ? (text.match(/\bprocess\s*(?:\.|\?\.)\s*env\b|\bprocess\[|import[^;]*\benv\b[^;]*'node:process'/g) ??
          [])
        : [],
    bad: [
      { path: `${server}/logger.ts`, text: 'const level = process.env.LOG_LEVEL;' },
      { path: `${server}/logger.ts`, text: `import { env } from 'node:process';` },
    ],
  },
  {
    says: 'a page does not import another page',
    breaches: ({ path, text }) => {
      const page = pageOf(path);
      if (page === undefined) return [];
      return imports(path, text).filter((imported) => ![undefined, page].includes(pageOf(imported)));
    },
    bad: [{ path: 'apps/web/src/pages/a/a-page.tsx', text: `import { B } from '../b/b-page.tsx';` }],
  },
  {
    says: 'only oidc/ and interaction/ import oidc-provider',
    breaches: ({ path, text }) =>
      startsWithAny(path, [`${server}/oidc/`, `${server}/interaction/`])
        ? []
        : imports(path, text).filter((imported) => isPackage(imported, 'oidc-provider')),
    bad: [
      { path: `${server}/app.ts`, text: `import Provider from 'oidc-provider';` },
      { path: 'apps/playground/src/app.ts', text: `import type { Client } from 'oidc-provider/types';` },
    ],
  },
  {
    says: 'the contract imports zod and nothing else',
    breaches: ({ path, text }) =>
      path.startsWith('packages/contract/src/') && !isTest(path)
        ? imports(path, text).filter(
            (imported) => !isPackage(imported, 'zod') && !imported.startsWith('packages/contract/src/'),
          )
        : [],
    bad: [
      { path: 'packages/contract/src/errors.ts', text: `import { join } from 'node:path';` },
      {
        path: 'packages/contract/src/errors.ts',
        text: `export * from '../../../apps/server/src/errors.ts';`,
      },
    ],
  },
  {
    says: 'a statement of the server names its columns',
    breaches: ({ path, text }) =>
      path.startsWith(`${server}/`) && !isTest(path) ? statementsWithoutNames(text) : [],
    bad: [
      { path: `${server}/a/a.repository.ts`, text: `db.selectFrom('a').selectAll().execute();` },
      { path: `${server}/a/a.repository.ts`, text: `db.selectFrom('a').selectAll('a').execute();` },
      { path: `${server}/a/a.adapter.ts`, text: `db.updateTable('a').set(b).returningAll();` },
      { path: `${server}/a/a.repository.ts`, text: 'sql`select * from a`' },
      { path: `${server}/a/a.repository.ts`, text: 'sql`select a.*, b.id from a, b`' },
      { path: `${server}/a/a.repository.ts`, text: 'sql`delete from a\n  returning *`' },
    ],
  },
];

const sources = readSources();

describe.each(rules)('$says', ({ breaches, bad }) => {
  it('is obeyed by every source', () => {
    const found = sources.flatMap((source) =>
      breaches(source).map((breach) => ({ file: source.path, breach })),
    );
    expect(found).toEqual([]);
  });

  it.each(bad)('refuses $text in $path', (source) => {
    expect(breaches(source)).toHaveLength(1);
  });
});

/** What a source imports: packages by name, files by their path from the root. */
function imports(path: string, text: string): string[] {
  const specifiers = text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g);
  return [...specifiers].map(([, specifier = '']) =>
    specifier.startsWith('.') ? join(dirname(path), specifier).replaceAll('\\', '/') : specifier,
  );
}

function isOpenToRepositories(path: string, imported: string): boolean {
  if (!imported.startsWith(`${server}/`)) {
    return imported.startsWith('node:') || isPackage(imported, 'kysely', '@candela/contract');
  }
  if (imported.endsWith('.table.ts')) return dirname(imported) === dirname(path);
  if (startsWithAny(imported, [`${server}/http/`])) return false;
  return !/\.(?:routes|service|repository|middleware|adapter)\.ts$/.test(imported);
}

/** Calls, not the declarations of the factories; the provider's own factory is oidc/provider.ts. */
function constructions(path: string, text: string): string[] {
  const services = text.match(/(?<!function )\bcreate\w*Service\(/g) ?? [];
  const providers = path === `${server}/oidc/provider.ts` ? [] : (text.match(/\bnew Provider\(/g) ?? []);
  return [...services, ...providers];
}

/** Those of all columns; what a function returns has the columns that its statement gives it. */
function statementsWithoutNames(text: string): string[] {
  const ofFunctions = /select \* from jsonb_to_recordset\(/g;
  return text.replaceAll(ofFunctions, '').match(/\b(?:select|returning)(?:All\(|\s+(?:\w+\.)?\*)/g) ?? [];
}

function pageOf(path: string): string | undefined {
  return /^apps\/web\/src\/pages\/([^/]+)\//.exec(path)?.[1];
}

function readSources(): Source[] {
  const root = join(import.meta.dirname, '..');
  return globSync(['apps/*/src/**/*.{ts,tsx}', 'packages/*/src/**/*.ts', 'migrations/*.ts'], {
    cwd: root,
  }).map((file) => ({
    path: relative(root, join(root, file)).replaceAll('\\', '/'),
    text: readFileSync(join(root, file), 'utf8'),
  }));
}
