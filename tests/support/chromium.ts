import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

interface Installation {
  executablePath: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** A page lives for seconds in a test: to optimise its code would cost more than the optimised code saves. */
const unoptimised = '--js-flags=--no-opt --no-maglev';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-quic',
  unoptimised,
];

/**
 * The packaged Chromium recommends further flags. Several of them (`--disable-web-security`,
 * `--allow-running-insecure-content`, no site isolation) switch off the behaviour under test, `--single-process` does
 * not survive a second browser context, and `--no-zygote` makes each page dearer by an eighth.
 */
const packagedFlags = ['--font-render-hinting=none', '--disable-webgl'];

export interface Chromium {
  /** A browser of its own, as far as pages can see. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** Closes the contexts of this user. The process goes on, and ends with the worker of the tests. */
  close(): Promise<void>;
}

let started: Promise<Browser> | undefined;

/** One browser serves all test files of a worker: to start one takes as long as many a test. */
export const openChromium = async (): Promise<Chromium> => {
  started ??= launch();
  if (!(await started).isConnected()) started = launch();
  const browser = await started;
  const contexts = new Set<BrowserContext>();
  return {
    newContext: async (options) => {
      const context = await browser.newContext(options);
      contexts.add(context);
      context.on('close', () => contexts.delete(context));
      return context;
    },
    close: async () => {
      await Promise.all([...contexts].map((context) => context.close()));
    },
  };
};

/**
 * Starts a headless Chromium: that of CHROMIUM_PATH, else that of the npm package `@sparticuz/chromium`, a headless
 * shell, which takes three fifths of the processor time of a whole browser; else the system’s.
 */
const launch = async (): Promise<Browser> => {
  const { executablePath, args, env } = await findChromium();
  return chromium.launch({
    executablePath,
    args: [...flags, ...args],
    env: definedOnly(env),
    ignoreDefaultArgs: (await hasRoomInMemory()) ? ['--disable-dev-shm-usage'] : [],
  });
};

/**
 * Whether `/dev/shm` has room for what the processes of a browser share. Playwright has them share files of the
 * temporary directory, because a container may give `/dev/shm` 64 MB only. Each response takes such a file, and on a
 * disk they make a page dearer by a fifteenth.
 */
async function hasRoomInMemory(): Promise<boolean> {
  const { bavail, bsize } = await statfs('/dev/shm').catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= 2 ** 30;
}

async function findChromium(): Promise<Installation> {
  const configured = process.env.CHROMIUM_PATH;
  if (configured) return { executablePath: configured, args: [], env: process.env };
  const packaged = await packagedChromium().catch((error: Error) => error);
  if (!(packaged instanceof Error)) return packaged;
  for (const path of ['/usr/bin/chromium', '/usr/bin/google-chrome']) {
    if (await exists(path)) return { executablePath: path, args: [], env: process.env };
  }
  throw packaged;
}

async function packagedChromium(): Promise<Installation> {
  const directory = await unpackedOnce();
  const libraries = join(directory, 'al2023', 'lib');
  const inherited = process.env.LD_LIBRARY_PATH;
  const hasFonts = await exists('/etc/fonts/fonts.conf');
  return {
    executablePath: join(directory, 'chromium'),
    args: packagedFlags,
    env: {
      ...process.env,
      // The package brings NSS and expat, which a bare machine lacks.
      LD_LIBRARY_PATH: inherited ? `${inherited}:${libraries}` : libraries,
      ...(hasFonts ? {} : { FONTCONFIG_PATH: join(directory, 'fonts') }),
    },
  };
}

/**
 * Unpacks into a new directory and renames it into place: test files start in parallel, and the package itself would
 * return a binary that another process is still writing.
 */
async function unpackedOnce(): Promise<string> {
  const home = dirname(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))));
  const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as { version: string };
  const cache = join(import.meta.dirname, '..', 'node_modules', '.cache');
  const target = join(cache, `chromium-${version}`);
  if (await exists(target)) return target;

  await mkdir(cache, { recursive: true });
  const staging = await mkdtemp(join(cache, 'unpacking-'));
  try {
    await unpack(staging, join(home, 'bin', 'al2023.tar.br'));
    await writeFile(join(staging, 'fonts', 'fonts.conf'), fontConfiguration(join(target, 'fonts')));
    await rename(staging, target);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (!(await exists(target))) throw error;
  }
  return target;
}

/** The package always unpacks into the temporary directory, so a separate process gets its own. */
async function unpack(directory: string, libraries: string): Promise<void> {
  const script = `
    import chromium, { inflate } from '@sparticuz/chromium';
    await chromium.executablePath();
    await inflate(${JSON.stringify(libraries)});
  `;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: directory, NODE_OPTIONS: '' },
  });
}

function fontConfiguration(directory: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${directory}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${directory}/cache</cachedir>
</fontconfig>
`;
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
