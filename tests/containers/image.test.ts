import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createPostgresDatabase, testDatabaseUrl } from '@candela/server/testing/databases';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createVerbs, freePort } from '../support/world.ts';
import { type BareImage, performDockerfile, whyNotPerformable } from './bare-image.ts';

const repository = join(import.meta.dirname, '../..');
const dockerfile = join(repository, 'docker/Dockerfile');

/** What the last stage adds to the official image of Node. */
const MOST_MEGABYTES = 84;
const START_MS = 30_000;
const STOP_MS = 12_000;

const why = whyNotPerformable();
const title = (text: string) => (why ? `${text} (${why})` : text);

describe.skipIf(why)(
  title('the steps of docker/Dockerfile, performed in bare folders: no container engine takes part'),
  () => {
    let image: BareImage;
    let database: { databaseUrl: string; drop(): Promise<void> } | undefined;
    let port: number;
    let env: Record<string, string>;
    beforeAll(async () => {
      image = await performDockerfile(repository, dockerfile);
      database = testDatabaseUrl ? await createPostgresDatabase(testDatabaseUrl) : undefined;
      port = await freePort();
      env = {
        NODE_ENV: 'development',
        PORT: String(port),
        PLAYGROUND_PORT: '0',
        CODE_RESEND_SECONDS: '0',
        ...(database && { DATABASE_URL: database.databaseUrl }),
      };
    });
    afterAll(async () => {
      await image?.remove();
      await database?.drop();
    });

    const run = async (argv: readonly string[], more: Record<string, string> = {}) => {
      const container = image.start(argv, { ...env, ...more });
      const status = await container.ended;
      return { status, output: container.output() };
    };

    test('the image has what runs, and nothing that builds or tests', () => {
      const files = globSync('candela/**/*', { cwd: image.root });
      const unwanted = /\.test\.tsx?$|\/testing\/|^candela\/tests|\.map$|\.d\.ts$|pnpm-lock/;
      expect(files.filter((path) => unwanted.test(path) && !path.includes('/.pnpm/'))).toEqual([]);
      const packages = globSync('candela/node_modules/.pnpm/*', { cwd: image.root }).map((path) =>
        path.replace(/.*\/\.pnpm\//, ''),
      );
      expect(
        packages.filter((name) =>
          /^(?:typescript|vite|vitest|node|react|react-dom)@|^@types\+|^@biomejs/.test(name),
        ),
      ).toEqual([]);
      expect(globSync('usr/local/bin/*', { cwd: image.root }).toSorted()).toEqual([
        'usr/local/bin/candela',
        'usr/local/bin/node',
      ]);
      const kilobytes = Number(
        execFileSync('du', ['-sk', '--apparent-size', join(image.root, 'candela')], {
          encoding: 'utf8',
        }).split('\t')[0],
      );
      expect(kilobytes / 1024).toBeLessThan(MOST_MEGABYTES);
    });

    test('it is production unless it is told otherwise, and then tells all that is missing', async () => {
      const { status, output } = await run(image.cmd, { NODE_ENV: 'production', DATABASE_URL: '' });
      expect(status).toBe(1);
      expect(output).toContain('SECRET_KEY is required in production');
      expect(output).toContain('DATABASE_URL is required in production');
    });

    test('its sources are compiled beforehand', async () => {
      const { output } = await run(image.cmd, {
        NODE_ENV: 'production',
        DATABASE_URL: '',
        NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
      });
      expect(output.match(/permission denied|was not initialized/g)).toBeNull();
      const sources = output
        .split('\n')
        .filter((line) => /reading cache .* for ESM file:.*\/server\/dist\//.test(line));
      expect(sources.length).toBeGreaterThan(50);
      // Two threads may write into one line: what became of the first message is then on another.
      const whole = sources.filter((line) => line.split('[compile cache]').length === 2);
      expect(whole.filter((line) => !line.includes('success'))).toEqual([]);
    });

    test('its root is read-only, and it is not root', async () => {
      const write =
        'for each in /candela /usr/local /etc /; do touch $each/x 2>&1; done; id -u; touch /data/x /tmp/x && rm /data/x';
      const { status, output } = await run(['sh', '-c', write]);
      expect([status, output.match(/Read-only file system/g)?.length]).toEqual([0, 4]);
      expect(output).toMatch(/^1000$/m);
    });

    test('a command migrates, the server starts, a person signs in, and SIGTERM ends it in time', async () => {
      const migrated = await run(['candela', 'migrate'], { SECRET_KEY: 'k'.repeat(32) });
      expect([migrated.status, migrated.output]).toEqual([0, expect.stringContaining('0001')]);

      const server = image.start(image.cmd, {
        ...env,
        SECRET_KEY: 'k'.repeat(32),
        COOKIE_KEYS: 'c'.repeat(32),
      });
      const healthy = async () => (await run(image.healthCheck)).status === 0;
      for (const end = Date.now() + START_MS; !(await healthy()); await wait(100)) {
        if (server.child.exitCode !== null || Date.now() > end) throw new Error(server.output());
      }
      const verbs = createVerbs({
        origin: `http://localhost:${port}`,
        ports: [port],
        dataDirs: [image.volume('/data')],
        registerClients: async () => undefined,
      });
      const { identifier } = await verbs.signUp();
      const { agent } = await verbs.signIn(identifier);
      expect((await agent.get('/api/account')).status).toBe(200);
      expect(await readFile(join(image.volume('/data'), 'outbox.jsonl'), 'utf8')).toContain(identifier);

      const stopped = performance.now();
      server.kill('SIGTERM');
      expect([await server.ended, server.output()]).toEqual([0, expect.stringContaining('Ready in')]);
      expect(performance.now() - stopped).toBeLessThan(STOP_MS);
      expect(await healthy()).toBe(false);
    });
  },
);
