import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface ConformanceOptions {
  issuer: string;
  clientId: string;
  /** The MCP server that the token is for. */
  resource: string;
  /** Where the runner hears the answer: `http://127.0.0.1:<port>/callback`. */
  port: number;
  /** Shows the person the page that the runner names. */
  openBrowser(url: URL): Promise<void>;
}

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

const manifest = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/package.json'));

/** Runs the conformance runner of MCP against an authorization server. Answers its checks, and how it ended. */
export const runConformance = async (options: ConformanceOptions) => {
  const { issuer, clientId, resource, port, openBrowser } = options;
  const directory = await mkdtemp(join(tmpdir(), 'candela-conformance-'));
  const runner = spawn(
    process.execPath,
    [
      join(manifest, '../dist/index.js'),
      'authorization',
      ...['--url', issuer, '--client-id', clientId, '--resource', resource],
      ...['--port', String(port), '--output-dir', directory],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(runner, 'exit');
  try {
    for await (const line of createInterface(runner.stdout))
      if (line.startsWith(`${issuer}/oauth/authorize?`)) await openBrowser(new URL(line));
    const [code] = await ended;
    const checks = globSync('**/checks.json', { cwd: directory }).flatMap((file): Check[] =>
      JSON.parse(readFileSync(join(directory, file), 'utf8')),
    );
    return { code, checks };
  } finally {
    runner.kill();
    await rm(directory, { recursive: true, force: true });
  }
};
