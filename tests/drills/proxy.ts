import { startNginx } from '../support/proxy-process.ts';

/** The configuration that docs/operating recommends, without TLS. */
const configure = (port: number, upstreams: readonly number[]) => `
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
  }`;

/**
 * Starts an nginx on loopback, in front of the processes on `upstreams`.
 * @throws Error if there is no nginx, or if it refuses to start
 */
export const startProxy = (port: number, upstreams: readonly number[]) =>
  startNginx(port, configure(port, upstreams));
