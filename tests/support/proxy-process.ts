import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` };

/** Whether the program is installed. */
export const isInstalled = (program: string): boolean =>
  spawnSync('which', [program], { env, stdio: 'ignore' }).status === 0;

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

export interface ProxyProcess {
  /** The folder of its files, and its output. */
  directory: string;
  stop(): Promise<void>;
}

export interface ProxyProcessOptions {
  program: string;
  args: readonly string[];
  /** Files by name, in a separate folder in which the program runs. */
  files: Record<string, string>;
  port: number;
}

/**
 * Starts a proxy in front of other servers and waits until it listens on `port` of loopback.
 * @throws Error if it is not installed, or refuses to start
 */
export const startProxyProcess = async ({
  program,
  args,
  files,
  port,
}: ProxyProcessOptions): Promise<ProxyProcess> => {
  const directory = await mkdtemp(join(tmpdir(), `candela-${program}-`));
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content);
  const child: ChildProcess = spawn(program, args, {
    cwd: directory,
    env: { ...env, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-4_000);
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${program} ended with ${code}: ${said}`);
  });
  ended.catch(() => undefined);
  const ready = async () => {
    while (child.exitCode === null && !(await accepts(port))) await wait(50);
  };
  await Promise.race([ready(), ended]);
  return {
    directory,
    stop: async () => {
      child.kill('SIGTERM');
      await ended.catch(() => undefined);
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/** The configuration around the `http` block, so that any user can run it in a separate folder. */
const nginxAround = (http: string) => `
daemon off;
master_process off;
pid nginx.pid;
error_log error.log warn;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path client_body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
${http}
}
`;

/** Starts an nginx with these directives inside of `http`; `files` are in the same folder. */
export const startNginx = (port: number, http: string, files: Record<string, string> = {}) =>
  startProxyProcess({
    program: 'nginx',
    args: ['-p', '.', '-e', 'error.log', '-c', 'nginx.conf'],
    files: { ...files, 'nginx.conf': nginxAround(http) },
    port,
  });

/** The address of a database at the PgBouncer on `port`. */
export const throughPgbouncer = (databaseUrl: string, port: number): string => {
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return url.href;
};

/**
 * Starts a PgBouncer as docs/operating/database.md says, in front of every database of a server.
 * @throws Error if there is none, or if it refuses to start
 */
export const startPgbouncer = (port: number, serverUrl: string): Promise<ProxyProcess> => {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl);
  const login = `user=${username}${password && ` password=${decodeURIComponent(password)}`}`;
  const configuration = `
[databases]
* = host=${hostname} port=${serverPort || 5432} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 8
ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout
`;
  return startProxyProcess({
    program: 'pgbouncer',
    // It refuses to run as root.
    args: [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), 'pgbouncer.ini'],
    files: { 'pgbouncer.ini': configuration },
    port,
  });
};
