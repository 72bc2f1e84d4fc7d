import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inspectConfig } from './config.ts';

const readme = readFileSync(new URL('../../../../../README.md', import.meta.url), 'utf8');
const [, section = ''] = readme.split('\n## Configuration\n');

/** The settings of the table with their defaults; a row such as "| `PORT`, `HOST` | 3000, 127.0.0.1 | ... |" has two. */
const documented = [...section.matchAll(/^\| (`[A-Z][^|]*) \| ([^|]*) \|/gm)].flatMap(
  ([, names = '', defaults = '']) => {
    const values = defaults.split(', ');
    return [...names.matchAll(/`(\w+)`/g)].map(([, name = ''], at) => ({ name, value: values[at] ?? '' }));
  },
);

const ofTests = ['TEST_DATABASE_URL', 'CHROMIUM_PATH'];

/** Every name that the configuration reads from the environment. */
const namesRead = (): string[] => {
  const names = new Set<string>();
  const recording = { get: (_: object, name: string) => void names.add(name) };
  inspectConfig(new Proxy({}, recording));
  // Each setting NAME may come from the file named by NAME_FILE.
  return [...names].filter((name) => !names.has(name.replace(/_FILE$/, '')) || !name.endsWith('_FILE'));
};

describe('the README', () => {
  test('lists every setting', () => {
    expect(namesRead().filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
  });

  test('lists no other setting', () => {
    const read = namesRead();
    expect(documented.map(({ name }) => name).filter((name) => !read.includes(name))).toEqual(ofTests);
  });

  const plain = documented.filter(({ value }) =>
    /^(?:\d+|on|refuse|info|product|after-code|\.\/data|[\d.]+)$/.test(value),
  );

  test.each(plain)('states the default of $name: $value', ({ name, value }) => {
    expect(inspectConfig({ [name]: value })).toEqual(inspectConfig({}));
  });

  test('states enough defaults for this test to be useful', () => {
    expect(plain.length).toBeGreaterThan(18);
  });
});
