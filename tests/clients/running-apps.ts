import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = import.meta.dirname;

/** Programs as files below `node_modules`, from where they find the same libraries as a developer’s program. */
export const createRunningApps = async (certificate = '') => {
  const directory = await mkdtemp(join(here, 'node_modules', '.programs-'));
  const trusted = join(directory, 'certificate.pem');
  await writeFile(trusted, certificate);
  const children: ChildProcess[] = [];
  const servers: Server[] = [];

  const write = async (name: string, program: string): Promise<string> => {
    const path = join(directory, `${name}.mjs`);
    await writeFile(path, program);
    return path;
  };

  const stop = async (child: ChildProcess) => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
  };

  /** Runs Node with these arguments, and resolves when the process listens, with what stops it. */
  const run = async (args: readonly string[], environment: Record<string, string>) => {
    const child = spawn(process.execPath, ['--import', join(here, 'announce-listening.ts'), ...args], {
      env: {
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        PATH: process.env.PATH,
        ...(certificate && { NODE_EXTRA_CA_CERTS: trusted }),
        ...environment,
      },
      // Where a program keeps files of its own.
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    children.push(child);
    let complaint = '';
    child.stderr?.on('data', (text) => {
      complaint += text;
    });
    const ended = once(child, 'exit').then(() => {
      throw new Error(`${args.join(' ')} ended: ${complaint}`);
    });
    ended.catch(() => undefined);
    await Promise.race([once(child, 'message'), ended]);
    return () => stop(child);
  };

  return {
    /** A program that starts its own server. */
    runProgram: async (name: string, program: string, environment: Record<string, string>) =>
      run([await write(name, program)], environment),

    /** A route of Next. Next’s bundler passes a module’s default export where Node passes the whole module. */
    runPage: async (name: string, program: string, port: number, environment: Record<string, string>) => {
      const compiled = program.replace(
        /^import (\w+) from '(next-auth)';/m,
        "import page from '$2';\nconst { default: $1 } = page;",
      );
      await run([join(here, 'pages-host.ts'), await write(name, compiled), String(port)], environment);
    },

    /** A script of a page, with the libraries that it imports by name. */
    serveScript: async (script: string, libraries: readonly string[], port: number) => {
      const files = new Map([['/app.js', script]]);
      for (const library of libraries)
        files.set(`/${library}.js`, await readFile(fileURLToPath(import.meta.resolve(library)), 'utf8'));
      const imports = Object.fromEntries(libraries.map((library) => [library, `/${library}.js`]));
      const html = `<!doctype html><meta charset="utf-8"><title>App</title><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports })}</script><body><script type="module" src="/app.js"></script>`;
      const server = createServer((request, response) => {
        const file = files.get(request.url ?? '');
        response.setHeader('content-type', file === undefined ? 'text/html' : 'text/javascript');
        response.end(file ?? html);
      });
      servers.push(server);
      await once(server.listen(port, '127.0.0.1'), 'listening');
    },

    close: async () => {
      for (const server of servers) server.close().closeAllConnections();
      await Promise.all(children.map(stop));
      await rm(directory, { recursive: true, force: true });
    },
  };
};
