import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { isInstalled } from '../support/proxy-process.ts';
import { pairsOf, readDockerfile, stepsOf } from './dockerfile.ts';

const repository = join(import.meta.dirname, '../..');
const docker = join(repository, 'docker');
const read = (path: string) => readFileSync(join(docker, path), 'utf8');

interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string | number>;
  env_file?: { path: string }[];
  ports?: string[];
  volumes?: string[];
  depends_on?: Record<string, unknown>;
  stop_grace_period?: string;
  profiles?: string[];
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
}
const readCompose = (name: string): Compose => parse(read(name), { merge: true });
const compose = readCompose('compose.yaml');
const servers = ['server-1', 'server-2'].map((name) => compose.services[name] as Service);

const manifests = globSync('*.yaml', { cwd: join(docker, 'kubernetes') })
  .filter((name) => name !== 'kustomization.yaml')
  .toSorted();
const resources = manifests.flatMap((name) =>
  parseAllDocuments(read(`kubernetes/${name}`)).map((document) => document.toJS()),
);
const resource = (kind: string) => resources.find((each) => each.kind === kind);
const deployment = resource('Deployment').spec.template.spec;
const settings: Record<string, string> = resource('ConfigMap').data;

const last = readDockerfile(read('Dockerfile')).at(-1)?.steps ?? [];
const imageEnv = Object.assign({}, ...stepsOf('ENV', last).map(pairsOf));
const stopSeconds = (notice: number) => notice + 12;

const title = (text: string, program: string) =>
  isInstalled(program) ? text : `${text} (skipped: ${program} is not installed)`;

test.skipIf(!isInstalled('hadolint'))(title('hadolint finds nothing in the Dockerfile', 'hadolint'), () => {
  const { status, stdout } = spawnSync('hadolint', [join(docker, 'Dockerfile')], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, '']);
});

test('the image has the Node and the pnpm of the workspace', () => {
  const { catalog } = parse(readFileSync(join(repository, 'pnpm-workspace.yaml'), 'utf8'));
  const bases = [...read('Dockerfile').matchAll(/node:([\d.]+)-slim/g)].map(([, version]) => version);
  expect(new Set(bases)).toEqual(new Set([catalog.node]));
  expect(read('Dockerfile')).toMatch(/npm install --global pnpm@12\.\d+\.\d+/);
});

test.skipIf(!isInstalled('promtool'))(title('Prometheus takes its configuration', 'promtool'), () => {
  const args = ['check', 'config', join(docker, 'prometheus/prometheus.yml')];
  const { status, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

describe('compose', () => {
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
    JSON.parse(readFileSync(join(import.meta.dirname, 'compose-spec/schema.json'), 'utf8')),
  );

  test.each(['compose.yaml', 'compose.dev.yaml'])('%s is valid by the Compose Specification', (name) => {
    validate(readCompose(name));
    expect(validate.errors).toBeNull();
    expect(validate({ services: { web: { image: 'x', porst: [] } } })).toBe(false);
  });

  test('each file and each volume that is mounted is there', () => {
    const missing = Object.values(compose.services)
      .flatMap(({ volumes = [] }) => volumes)
      .map((volume) => volume.replace(/^\$\{\w+:-([\w-]+)\}/, '$1').split(':')[0] ?? '')
      .filter((from) =>
        from.startsWith('./') ? !existsSync(join(docker, from)) : !(from in compose.volumes),
      );
    expect(missing).toEqual([]);
  });

  test('two servers serve, after a migration, behind a proxy, and stop in their own time', () => {
    expect(servers[0]).toEqual(servers[1]);
    for (const { command, depends_on = {}, stop_grace_period = '', environment = {} } of servers) {
      expect(command).toEqual(['node', 'apps/server/dist/main.js']);
      expect(depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
      const notice = Number(environment.DRAIN_NOTICE_SECONDS ?? 3);
      expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(stopSeconds(notice));
    }
    expect(compose.services.migrate?.command).toEqual(['candela', 'migrate']);
  });

  test('whatever runs is without rights, on a root that is read-only', () => {
    for (const service of Object.values(compose.services))
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
  });

  test('nginx and Prometheus go to the ports of the servers', () => {
    for (const name of ['server-1', 'server-2']) {
      expect(read('nginx/nginx.conf')).toContain(`server ${name}:${imageEnv.PORT} `);
      expect(read('prometheus/prometheus.yml')).toContain(`${name}:${servers[0]?.environment?.METRICS_PORT}`);
    }
    const listens = [...read('nginx/nginx.conf').matchAll(/listen (\d+)/g)].map(([, port]) => port);
    expect(compose.services.proxy?.ports?.map((port) => port.split(':').at(-1))).toEqual(listens);
  });

  test('prepare.sh makes every secret that is read, and a certificate, and leaves them as they are', () => {
    const root = mkdtempSync(join(tmpdir(), 'candela-prepare-'));
    const prepare = () => {
      execFileSync('sh', [join(docker, 'prepare.sh'), root]);
      return globSync('*/*', { cwd: root })
        .toSorted()
        .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);
    };
    try {
      const made = prepare();
      const texts = Object.fromEntries(made);
      const read = Object.entries(servers[0]?.environment ?? {}).filter(([name]) => name.endsWith('_FILE'));
      expect(read.map(([, path]) => `server/${String(path).split('/').at(-1)}`).toSorted()).toEqual(
        made.map(([path]) => path).filter((path) => path.startsWith('server/')),
      );
      const password = texts['database/password']?.trim();
      expect(texts['server/database-url']).toBe(`postgres://candela:${password}@database:5432/candela\n`);
      expect(texts['server/secret-key']?.trim().length).toBeGreaterThanOrEqual(32);
      const certificate = new X509Certificate(texts['certificate/fullchain.pem'] ?? '');
      expect(certificate.checkHost('localhost')).toBe('localhost');
      rmSync(join(root, 'server/cookie-keys'));
      const again = prepare();
      expect(again.filter(([path, text]) => texts[path] !== text).map(([path]) => path)).toEqual([
        'server/cookie-keys',
      ]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

describe('Kubernetes', () => {
  const program = 'kubernetes-validate';
  test.skipIf(!isInstalled(program))(title('every manifest is valid by its schema', program), () => {
    const paths = manifests.map((name) => join(docker, 'kubernetes', name));
    const { status, stdout, stderr } = spawnSync(program, ['--strict', '--quiet', ...paths], {
      encoding: 'utf8',
    });
    expect([status, stdout, stderr]).toEqual([0, '', '']);
  });

  test('the kustomization has all manifests but the example of a secret', () => {
    const { resources: listed } = parse(read('kubernetes/kustomization.yaml'));
    expect(listed.toSorted()).toEqual(manifests.filter((name) => name !== 'secret.example.yaml'));
  });

  test('the Service, the probes and the network policy fit the ports of the server', () => {
    const [server] = deployment.containers;
    expect(server.ports).toEqual([
      { name: 'http', containerPort: Number(imageEnv.PORT) },
      { name: 'metrics', containerPort: Number(settings.METRICS_PORT) },
    ]);
    expect(server.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
    expect(server.startupProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
    expect(server.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' });
    const targets = resources
      .filter(({ kind }) => kind === 'Service')
      .map(({ spec }) => spec.ports[0].targetPort);
    expect(targets).toEqual(['http', 'metrics']);
    const admitted = resource('NetworkPolicy').spec.ingress.map(
      ({ ports }: { ports: { port: number }[] }) => ports[0]?.port,
    );
    expect(admitted).toEqual([Number(imageEnv.PORT), Number(settings.METRICS_PORT)]);
    expect(deployment.terminationGracePeriodSeconds).toBeGreaterThan(
      stopSeconds(Number(settings.DRAIN_NOTICE_SECONDS)),
    );
  });

  test('every selector is that of the server’s pods, and the migration’s are none of them', () => {
    const { labels } = resource('Deployment').spec.template.metadata;
    const selectors = [
      resource('Deployment').spec.selector.matchLabels,
      resource('PodDisruptionBudget').spec.selector.matchLabels,
      ...resources.filter(({ kind }) => kind === 'Service').map(({ spec }) => spec.selector),
    ];
    for (const selector of selectors) expect(selector).toEqual(labels);
    expect(resource('Job').spec.template.metadata.labels).not.toEqual(labels);
  });

  test('the user, the folders and the names of secrets are those of the image and the settings', () => {
    for (const { securityContext, containers, volumes } of [deployment, resource('Job').spec.template.spec]) {
      const [user] = stepsOf('USER', last).map(({ text }) => text.trim());
      expect(`${securityContext.runAsUser}:${securityContext.runAsGroup}`).toBe(user);
      const mounts = containers[0].volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
      expect(mounts).toEqual(['/run/candela', imageEnv.DATA_DIR, '/tmp']);
      expect(volumes[0].secret.secretName).toBe(resource('Secret').metadata.name);
    }
    const files = Object.entries(settings).filter(([name]) => name.endsWith('_FILE'));
    expect(files.map(([, path]) => path.replace('/run/candela/', '')).toSorted()).toEqual(
      Object.keys(resource('Secret').stringData).toSorted(),
    );
  });
});

test('every variable that the files set is a setting, or the runtime’s own', () => {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8');
  const known = new Set([
    'NODE_COMPILE_CACHE',
    'NODE_OPTIONS',
    'MALLOC_ARENA_MAX',
    ...[...readme.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name),
  ]);
  // Of compose.yaml itself.
  const interpolated = new Set(
    [...read('compose.yaml').matchAll(/\$\{(\w+):-/g)].map(([, name = '']) => name),
  );
  const exampled = [...read('env.example').matchAll(/^(\w+)=/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !interpolated.has(name));
  const set = [
    ...Object.keys(imageEnv),
    ...[...servers, compose.services.migrate].flatMap((service) => Object.keys(service?.environment ?? {})),
    ...Object.keys(settings),
    ...exampled,
  ].map((name) => name.replace(/_FILE$/, ''));
  const unknown = set.filter((name) => !known.has(name) && !known.has(`${name}_FILE`));
  expect(unknown).toEqual([]);
});
