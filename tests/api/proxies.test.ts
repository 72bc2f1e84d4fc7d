import { readFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { createPhoto } from '@candela/server/testing/pictures';
import { setTracer, type Tracer } from '@candela/server/trace';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCertificate, trustedCertificate } from '../support/https-server.ts';
import { isInstalled, type ProxyProcess, startNginx, startProxyProcess } from '../support/proxy-process.ts';
import { adaptSample, readSample } from '../support/sample.ts';
import { createVerbs, createWorld, freePort, type World } from '../support/world.ts';

const MIB = 1024 * 1024;
/** Headers in which a caller claims an address. */
const FORGED = '203.0.113.9';

/** The `traceparent` of each request that is traced. */
const parents: unknown[] = [];
const span = { rename: () => {}, note: () => {}, fail: () => {} };
const tracer: Tracer = {
  inSpan: (start, work) => {
    if (start.kind === 'server') parents.push(start.parent);
    return work(span);
  },
  traceId: () => undefined,
  traceparent: () => undefined,
};

let world: World;
let verbs: ReturnType<typeof createVerbs>;
let port: number;
let plainPort: number;
const { cert, key } = trustedCertificate();
const files = { 'cert.pem': cert, 'key.pem': String(key) };

beforeAll(async () => {
  port = await freePort();
  plainPort = await freePort();
  const origin = `https://localhost:${port}`;
  setTracer(tracer);
  world = await createWorld({ env: { PUBLIC_URL: origin, TRUST_PROXY: '1' } });
  const { config, registerClients } = world;
  verbs = createVerbs({ origin, ports: [port], tls: true, dataDirs: [config.dataDir], registerClients });
});
afterAll(async () => {
  setTracer(undefined);
  await world?.close();
});

/** The certificate and its key, as files. */
type Served = typeof files;

const startSampleNginx = async (served: Served = files) =>
  startNginx(
    port,
    adaptSample(await readSample('nginx.conf'), [
      ['127.0.0.1:3000', `127.0.0.1:${world.config.port}`],
      ['id.example.com;', 'localhost;'],
      ['listen 80;', `listen 127.0.0.1:${plainPort};`],
      ['listen 443 ', `listen 127.0.0.1:${port} `],
      ['listen [::]:80;', ''],
      ['listen [::]:443 ssl http2;', ''],
      ['/etc/letsencrypt/live/id.example.com/fullchain.pem', 'cert.pem'],
      ['/etc/letsencrypt/live/id.example.com/privkey.pem', 'key.pem'],
      ['/var/log/nginx/candela.log', 'candela.log'],
    ]),
    served,
  );

/** With addresses of this machine in place of names, and in the words of older releases of nginx too. */
const startComposeNginx = async (served: Served = files) =>
  startProxyProcess({
    program: 'nginx',
    args: ['-p', '.', '-e', 'error.log', '-c', 'nginx.conf', '-g', 'master_process off;'],
    files: {
      ...served,
      'nginx.conf': adaptSample(
        await readFile(new URL('../../docker/nginx/nginx.conf', import.meta.url), 'utf8'),
        [
          ['server server-1:3000 max_fails=0 resolve;', `server 127.0.0.1:${world.config.port} max_fails=0;`],
          ['server server-2:3000 max_fails=0 resolve;', ''],
          ['listen 8080;', `listen 127.0.0.1:${plainPort};`],
          ['listen 8443 ssl;', `listen 127.0.0.1:${port} ssl http2;`],
          ['http2 on;', ''],
          ['/run/certificate/fullchain.pem', 'cert.pem'],
          ['/run/certificate/privkey.pem', 'key.pem'],
          ['/dev/stdout', 'candela.log'],
          ['error_log stderr', 'error_log error.log'],
          ['/tmp/', ''],
        ],
      ),
    },
    port,
  });

const startSampleCaddy = async (served: Served = files) =>
  startProxyProcess({
    program: 'caddy',
    args: ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'],
    files: {
      ...served,
      Caddyfile: `{\nadmin off\nauto_https disable_redirects\n}\n${adaptSample(
        await readSample('Caddyfile'),
        [
          ['id.example.com {', `https://localhost:${port} {\nbind 127.0.0.1`],
          ['tls {', 'tls cert.pem key.pem {'],
          ['127.0.0.1:3000', `127.0.0.1:${world.config.port}`],
        ],
      )}`,
    },
    port,
  });

/** Whether the proxy speaks TLS 1.2 with this suite. */
const takesSuite = (suite: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connectTls({
      port,
      host: '127.0.0.1',
      servername: 'localhost',
      ciphers: suite,
      minVersion: 'TLSv1.2',
      maxVersion: 'TLSv1.2',
      rejectUnauthorized: false,
    });
    socket
      .once('secureConnect', () => resolve(socket.getCipher().name === suite))
      .once('error', () => resolve(false));
    socket.once('secureConnect', () => socket.destroy());
  });

/** By the kind of the certificate's key: what BCP 195 recommends, and others: CBC, static RSA, ChaCha20. */
const suites = {
  ec: {
    good: ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
    other: [
      'ECDHE-ECDSA-AES128-SHA',
      'ECDHE-ECDSA-AES128-SHA256',
      'ECDHE-ECDSA-AES256-SHA384',
      'ECDHE-ECDSA-CHACHA20-POLY1305',
    ],
  },
  rsa: {
    good: ['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES256-GCM-SHA384'],
    other: [
      'ECDHE-RSA-AES128-SHA',
      'ECDHE-RSA-AES128-SHA256',
      'AES128-SHA',
      'AES256-GCM-SHA384',
      'ECDHE-RSA-CHACHA20-POLY1305',
    ],
  },
} as const;

/** The response to an HTTP/2 request, which has `:authority` in place of Host (RFC 9113 section 8.3.1). */
const getByHttp2 = (path: string) =>
  new Promise<string>((resolve, reject) => {
    const session = connect(verbs.origin, { ca: cert }).once('error', reject);
    let body = '';
    session
      .request({ ':path': path })
      .setEncoding('utf8')
      .on('data', (chunk) => {
        body += chunk;
      })
      .once('error', reject)
      .once('end', () => session.close(() => resolve(body)))
      .end();
  });

const proxies = [
  { program: 'nginx', sample: 'docs/samples/nginx.conf', start: startSampleNginx },
  { program: 'nginx', sample: 'docker/nginx/nginx.conf', start: startComposeNginx },
  { program: 'caddy', sample: 'docs/samples/Caddyfile', start: startSampleCaddy },
];

describe.each(proxies)('behind $program, as $sample sets it up', ({ program, start }) => {
  const installed = isInstalled(program);
  const title = (text: string) => (installed ? text : `${text} (skipped: ${program} is not installed)`);
  let proxy: ProxyProcess | undefined;
  beforeAll(async () => {
    if (installed) proxy = await start();
  });
  afterAll(() => proxy?.stop());

  test.skipIf(!installed)(title('a person signs up, signs in, and links an app'), async () => {
    const { identifier } = await verbs.signUp();
    const { agent } = await verbs.signIn(identifier);
    const { rp } = await verbs.registerApp();
    const { tokens } = await verbs.link(agent, rp);
    expect((await rp.refresh(tokens.refresh_token ?? '')).access_token).toBeTypeOf('string');
    expect(await rp.userinfo(tokens.access_token)).toHaveProperty('sub');
  });

  test.skipIf(!installed)(
    title('a caller’s address is the connecting address, whatever its headers claim'),
    async () => {
      const agent = verbs.browser({ headers: { 'x-forwarded-for': FORGED } });
      await verbs.signUp(undefined, agent);
      const rows = await world.db.selectFrom('session').select('address').execute();
      expect(rows.length).toBeGreaterThan(0);
      expect(new Set(rows.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
    },
  );

  test.skipIf(!installed)(title('a stranger hands no trace on'), async () => {
    parents.length = 0;
    const headers = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
    await verbs.browser({ headers }).get('/license');
    expect(parents).toEqual(['']);
  });

  test.skipIf(!installed)(
    title('a body of the largest size passes, and Candela itself refuses a larger one'),
    async () => {
      const { agent } = await verbs.signUp();
      const headers = { 'content-type': 'image/jpeg' };
      const photo = await createPhoto();
      const padded = (size: number) => Buffer.concat([photo, Buffer.alloc(size - photo.length)]);
      const put = (size: number) =>
        agent.request('PUT', '/api/account/avatar', { raw: padded(size), headers });
      expect((await put(MIB)).status).toBe(200);
      const refused = await put(MIB + 1);
      expect([refused.status, refused.json().error.code]).toEqual([413, 'too_large']);
      const long = await agent.get(`/license?x=${'x'.repeat(6_000)}`, {
        headers: { 'x-long': 'x'.repeat(6_000) },
      });
      expect(long.status).toBe(200);
      const { rp } = await verbs.registerApp();
      const { url } = await rp.authorizationUrl({ prompt: 'none' });
      const state = 's'.repeat(4_000);
      url.searchParams.set('state', state);
      expect((await verbs.browser().get(url.href)).headers.location).toContain(state);
    },
  );

  test.skipIf(!installed)(title('an HTTP/2 request too has the brand’s own host'), async () => {
    expect(JSON.parse(await getByHttp2('/.well-known/openid-configuration')).issuer).toBe(verbs.origin);
  });

  test.skipIf(!installed || program !== 'nginx')(
    title('who comes without TLS is sent on, and the log has no query'),
    async () => {
      const answer = await fetch(`http://localhost:${plainPort}/login?x=1`, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([301, 'https://localhost/login?x=1']);
      const { headers } = await verbs.browser().get('/license?who=ada@example.com');
      const readLog = () => readFile(join(proxy?.directory ?? '', 'candela.log'), 'utf8');
      // The proxy writes its line after the answer.
      await expect
        .poll(readLog)
        .toMatch(new RegExp(`^127\\.0\\.0\\.1 \\S+ GET /license 200 .* ${headers['x-request-id']}$`, 'm'));
      expect(await readLog()).not.toMatch(/\?|example\.com/);
    },
  );
});

describe.each(proxies)('TLS 1.2 at $program, as $sample sets it up', ({ program, start }) => {
  test.skipIf(!isInstalled(program)).each(['ec', 'rsa'] as const)(
    'has the suites that BCP 195 recommends, and neither CBC nor static RSA: %s',
    async (kind) => {
      const made = createCertificate('localhost', kind);
      const proxy = await start({ 'cert.pem': made.cert, 'key.pem': String(made.key) });
      try {
        for (const suite of suites[kind].good)
          expect([suite, await takesSuite(suite)]).toEqual([suite, true]);
        for (const suite of suites[kind].other)
          expect([suite, await takesSuite(suite)]).toEqual([suite, false]);
      } finally {
        await proxy.stop();
      }
    },
  );
});
