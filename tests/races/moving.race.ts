import { execFile } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { importLinkLines } from '@candela/server/testing/import-links';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, createTokenRequests } from '../support/cluster.ts';
import { commandProgram } from '../support/programs.ts';
import { hashOf } from '../support/token.ts';
import { fourProcesses } from './four-processes.ts';
import { RACE_TIMEOUT, skipped } from './rounds.ts';

const LINKS = Number(process.env.LINKS ?? (process.env.FULL ? 10_000 : 80));
/** Homes that ask at a time. */
const CROWD = 24;

/** A home as its platform keeps it. */
interface Home {
  old: string;
  token: string;
  /** What it was answered to its old token. */
  successors: Set<string>;
  /** How often it got a token of ours. */
  moved: number;
}

interface Refreshed {
  status: number;
  token: string | undefined;
}

const forms = [
  () => randomBytes(16).toString('hex'),
  () => randomBytes(32).toString('base64url'),
  () => `1//${randomBytes(48).toString('base64')}|~`,
  () => randomBytes(1_000).toString('hex'),
];

/** A server that keeps refresh tokens as they are, until it is left. */
const startOtherServer = async (tokens: readonly string[]) => {
  const known = new Set(tokens);
  let left = false;
  const server = createServer(async (request, response) => {
    const token = new URLSearchParams(await text(request)).get('refresh_token') ?? '';
    response
      .writeHead(left ? 503 : known.has(token) ? 200 : 400)
      .end(JSON.stringify({ refresh_token: token }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  return {
    leave: () => {
      left = true;
    },
    refresh: async (token: string): Promise<Refreshed> => {
      const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token });
      const answer = await fetch(url, { method: 'POST', body });
      return { status: answer.status, token: JSON.parse(await answer.text()).refresh_token };
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

describe.skipIf(!testDatabaseUrl)(`links of another server at four processes${skipped}`, () => {
  let cluster: Cluster;
  let directory: string;
  beforeAll(async () => {
    cluster = await fourProcesses();
    directory = await mkdtemp(join(tmpdir(), 'candela-moving-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  /** Runs `candela link import` on a file of these lines. */
  const importFile = async (lines: readonly object[]) => {
    const path = join(directory, 'links.jsonl');
    await writeFile(path, lines.map((line) => JSON.stringify(line)).join('\n'));
    const started = performance.now();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [commandProgram, 'link', 'import', path, '--json'],
      {
        env: cluster.env,
      },
    );
    return { summary: JSON.parse(stdout), seconds: (performance.now() - started) / 1_000 };
  };

  test(
    'all move under load: no link is lost, and each old token is spent once',
    async () => {
      const homes: Home[] = Array.from({ length: LINKS }, (_, index) => {
        const old = forms[index % forms.length]?.() ?? '';
        return { old, token: old, successors: new Set(), moved: 0 };
      });
      const other = await startOtherServer(homes.map(({ old }) => old));
      const app = await cluster.registerApp();
      const candela = createTokenRequests(cluster, app);
      const people = Math.ceil(LINKS / 2);
      await sql`
        insert into account (id, nickname, locale, status, created_at, updated_at)
        select 'mover-' || n, 'Mover', 'en', 'active', now(), now() from generate_series(0, ${people}::int - 1) as n`.execute(
        cluster.db,
      );

      const askCandela = async (token: string): Promise<Refreshed> => {
        const answer = await candela.refresh(token);
        return { status: answer.status, token: answer.json().refresh_token };
      };
      const lost: Refreshed[] = [];
      let refreshes = 0;
      const refresh = async (home: Home, ask: (token: string) => Promise<Refreshed>) => {
        const sent = home.token;
        const answers = await Promise.all(
          Array.from({ length: randomInt(10) === 0 ? 3 : 1 }, () => ask(sent)),
        );
        refreshes += answers.length;
        for (const { status, token } of answers) {
          if (status !== 200 && status !== 503) lost.push({ status, token });
          if (status !== 200 || !token || token === home.old) continue;
          if (sent === home.old) home.successors.add(token);
          // An answer in five is lost on its way: the home sends the same token again.
          if (randomInt(5) === 0) continue;
          home.token = token;
          home.moved += 1;
        }
      };
      /** Homes ask one after the other, many at a time, each until it is done. */
      const crowd = async (ask: typeof askCandela, isDone: (home: Home) => boolean) => {
        const waiting = [...homes];
        const one = async () => {
          for (let home = waiting.shift(); home; home = waiting.shift()) {
            await refresh(home, ask);
            if (!isDone(home)) waiting.push(home);
          }
        };
        await Promise.all(Array.from({ length: CROWD }, one));
      };
      await crowd(other.refresh, () => true);

      // The other server is left as it told its tokens. As soon as the import has begun, all come here.
      other.leave();
      const lines = homes.map(({ old }, index) => ({
        client_id: app.clientId,
        account: `mover-${index % people}`,
        ...(index % 2 ? { refresh_token: old } : { refresh_token_sha256: hashOf(old) }),
        scope: 'openid',
        since: '2024-01-01',
        brand: 'aurelia',
      }));
      const moving = importFile(lines);
      await expect
        .poll(() => candela.refresh(homes.at(-1)?.old ?? '').then(({ status }) => status), {
          timeout: 60_000,
          interval: 20,
        })
        .not.toBe(400);
      await crowd(askCandela, ({ moved }) => moved > 1);
      other.close();
      const { summary, seconds } = await moving;
      expect(summary).toMatchObject({ imported: LINKS, refusedTotal: 0 });
      if (process.env.LINKS)
        process.stdout.write(`${LINKS} links in ${seconds.toFixed(1)} s beside ${refreshes} refreshes\n`);

      expect(lost).toEqual([]);
      expect(homes.filter(({ successors }) => successors.size !== 1)).toEqual([]);
      const { rows } = await sql`
        select count(*)::int as successors, count(distinct grant_id)::int as links from refresh_token
        where predecessor_hash = any(${homes.map(({ old }) => hashOf(old))})`.execute(cluster.db);
      expect(rows).toEqual([{ successors: LINKS, links: LINKS }]);
      expect(await importLinkLines(lines, { db: cluster.db })).toMatchObject({
        imported: 0,
        unchanged: LINKS,
      });
    },
    RACE_TIMEOUT,
  );
});
