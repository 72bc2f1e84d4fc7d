import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What may ship. */
const permitted = new Set([
  'MIT',
  'MIT-0',
  '0BSD',
  'BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'Apache-2.0',
  'MPL-2.0',
]);

/** Shared libraries that we link to and never change: docs/decisions/009-pictures-in-the-database.md. */
const permittedByDecision = { packages: /^@img\/sharp-libvips-/, licence: 'LGPL-3.0-or-later' };

/** The packages that ship; tests/ does not. */
const shipped = ['package.json', 'migrations/package.json', 'apps/*/package.json', 'packages/*/package.json'];

interface Manifest {
  name: string;
  version: string;
  license?: string | { type?: string };
  licenses?: { type?: string }[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

interface Audit {
  count: number;
  refused: string[];
}

/** Follows every production dependency that is installed and collects those whose licence may not ship. */
export function auditLicences(root: string): Audit {
  const seen = new Set<string>();
  const refused: string[] = [];
  const own = globSync(shipped, { cwd: root }).map((file) => realpathSync(dirname(join(root, file))));
  let count = 0;

  const waiting = [...own];
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    if (seen.has(directory)) continue;
    seen.add(directory);
    const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;
    if (!own.includes(directory)) {
      count += 1;
      const licence = licenceOf(manifest);
      if (!mayShip(manifest.name, licence))
        refused.push(`${manifest.name}@${manifest.version}: ${licence || 'none told'}`);
    }
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      const found = resolve(directory, name);
      const isOptional = manifest.optionalDependencies?.[name] !== undefined;
      if (found) waiting.push(found);
      else if (!isOptional) refused.push(`${name}, needed by ${manifest.name}: not installed`);
    }
    // Those of other platforms, and peers that are optional, are not installed.
    const perhaps = { ...manifest.optionalDependencies, ...manifest.peerDependencies };
    for (const name of Object.keys(perhaps)) {
      const found = resolve(directory, name);
      if (found) waiting.push(found);
    }
  }
  return { count, refused: refused.sort() };
}

/** Whether a package may ship under its licence. */
export function mayShip(name: string, licence: string): boolean {
  const { packages, licence: decided } = permittedByDecision;
  return isPermitted(licence) || (packages.test(name) && licence === decided);
}

/** Whether an SPDX expression permits shipping: all sides of an AND, one side of an OR. */
export function isPermitted(expression: string): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  let position = 0;

  const either = (): boolean => {
    let result = both();
    while (tokens[position] === 'OR') {
      position += 1;
      result = both() || result;
    }
    return result;
  };
  const both = (): boolean => {
    let result = one();
    while (tokens[position] === 'AND') {
      position += 1;
      result = one() && result;
    }
    return result;
  };
  const one = (): boolean => {
    const token = tokens[position++];
    if (token !== '(') return token !== undefined && permitted.has(token);
    const result = either();
    return tokens[position++] === ')' && result;
  };

  return either() && position === tokens.length;
}

function licenceOf({ license, licenses }: Manifest): string {
  if (typeof license === 'string') return license;
  // The forms of npm before SPDX.
  if (license?.type) return license.type;
  return (licenses ?? []).map(({ type }) => type ?? '').join(' OR ');
}

/** Where a package finds one that it depends on, as Node looks for it. */
function resolve(from: string, name: string): string | undefined {
  for (let directory = from; ; directory = dirname(directory)) {
    const candidate = join(directory, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate);
    if (dirname(directory) === directory) return undefined;
  }
}

if (import.meta.main) {
  const { count, refused } = auditLicences(join(import.meta.dirname, '..'));
  if (refused.length > 0) {
    process.stderr.write(`licences: ${refused.length} not permitted\n${refused.join('\n')}\n`);
    process.exitCode = 1;
  } else {
    process.stdout.write(`licences: ${count} packages, all permitted\n`);
  }
}
