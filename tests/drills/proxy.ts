import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** What docs/operating recommends, beside folders of its own. */
const configure = (port: number, upstreams: readonly number[]) => `
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
  upstream candela {
    ${upstreams.map((upstream) => `server 127.0.0.1:${upstream} max_fails=0;`).join('\n    ')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://candela;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_connect_timeout 2s;
    }
  }
}
`;

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/**
 * Starts an nginx on loopback, in front of what listens on `upstreams`.
 * @throws Error when there is no nginx, or when it refuses to start
 */
export const startProxy = async (port: number, upstreams: readonly number[]) => {
  const directory = await mkdtemp(join(tmpdir(), 'candela-nginx-'));
  await writeFile(join(directory, 'nginx.conf'), configure(port, upstreams));
  const nginx: ChildProcess = spawn('nginx', ['-p', directory, '-e', 'error.log', '-c', 'nginx.conf'], {
    env: { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(nginx, 'exit').then(([code]) => {
    throw new Error(`nginx ended with ${code}`);
  });
  ended.catch(() => undefined);
  const ready = async () => {
    while (!(await accepts(port))) await wait(50);
  };
  await Promise.race([ready(), ended]);
  return {
    stop: async () => {
      nginx.kill('SIGTERM');
      await ended.catch(() => undefined);
      await rm(directory, { recursive: true, force: true });
    },
  };
};
