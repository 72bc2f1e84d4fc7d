import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { connect } from '@candela/server/db/connect';
import { migrate } from '@candela/server/db/migrate';
import { commandProgram } from '../../support/programs.ts';
import type { Bench } from '../bench.ts';
import { onServerCore } from '../cores.ts';
import { scaled } from '../options.ts';
import type { Row } from '../result.ts';
import { candelaEnv } from '../subject.ts';

const PEOPLE = 100_000;
const SAMPLE_MS = 20;

/** Hashes in the forms of old systems; none needs to match a password. */
const hashes = [
  `$2y$10$${'C'.repeat(53)}`,
  `$argon2i$v=19$m=65536,t=4,p=1$c29tZXNhbHRzYWx0$${'A'.repeat(43)}`,
  `$scrypt$ln=15,r=8,p=1$c29tZXNhbHRzYWx0$${'A'.repeat(43)}`,
  `$pbkdf2-sha256$29000$c29tZXNhbHRzYWx0$${'A'.repeat(43)}`,
];

function* people(count: number): Generator<string> {
  for (let index = 0; index < count; index += 1) {
    yield `${JSON.stringify({
      email: `person.${index}@example.com`,
      ...(index % 2 && { phone: `+86138${String(index).padStart(8, '0')}` }),
      nickname: `Person ${index}`,
      password_hash: hashes[index % hashes.length],
      locale: 'zh-CN',
    })}\n`;
  }
}

interface Run {
  seconds: number;
  peakBytes: number;
  output: string;
}

/** Runs the command as an operator does, and records its peak memory (proc_pid_status(5)). */
const runImportCommand = async (bench: Bench, file: string, env: Record<string, string>): Promise<Run> => {
  const [command, ...args] = onServerCore(bench.cores, [
    process.execPath,
    commandProgram,
    'account',
    'import',
    file,
  ]);
  const started = performance.now();
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  let peakBytes = 0;
  const sample = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    const kibibytes = Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? 0);
    peakBytes = Math.max(peakBytes, kibibytes * 1024);
  };
  const timer = setInterval(sample, SAMPLE_MS);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`the import ended with ${code}: ${output}`);
  return { seconds: (performance.now() - started) / 1000, peakBytes, output };
};

const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

/** The speed and the memory of an import: into an empty database, then once more. */
export const runImport = async (bench: Bench): Promise<Row> => {
  const directory = await mkdtemp(join(tmpdir(), 'candela-bench-import-'));
  try {
    const importInto = async (database: string, count: number) => {
      const file = join(directory, `${count}.jsonl`);
      await pipeline(Readable.from(people(count)), createWriteStream(file));
      const databaseUrl = await bench.postgres.createDatabase(database);
      const { db, close } = await connect({ databaseUrl, dataDir: '', poolSize: 1 });
      await migrate(db);
      await close();
      return () => runImportCommand(bench, file, candelaEnv(databaseUrl, directory));
    };
    const count = scaled(bench.options, PEOPLE);
    const importPeople = await importInto('import', count);
    const first = await importPeople();
    const again = await importPeople();
    if (!again.output.startsWith('imported 0,')) throw new Error(`a second run changed: ${again.output}`);
    // Whether memory stays flat is seen by comparison, once the heap has its working size.
    const more = await (await importInto('import_more', 2 * count))();
    const rate = ({ seconds }: Run) => Math.round(count / seconds);
    return {
      name: 'import',
      notes: {
        'rows per second': rate(first),
        'rows per second, all there already': rate(again),
        [`peak memory of ${count} rows`]: mebibytes(first.peakBytes),
        [`peak memory of ${2 * count} rows`]: mebibytes(more.peakBytes),
      },
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
