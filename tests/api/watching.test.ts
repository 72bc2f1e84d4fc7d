import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { skipped } from '../races/rounds.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { startTraceCollector } from '../support/trace-collector.ts';
import { freePort } from '../support/world.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

/** Each expression in PromQL, by the alert or the panel that has it. */
const alerts = [
  ...read('docker/prometheus/alerts.yml').matchAll(/- alert: (\w+)\n\s+expr: >-\n\s+(.+)\n/g),
].map(([, name = '', expression = '']) => [name, expression] as const);
const dashboard: { panels: Panel[] } = JSON.parse(read('docker/grafana/dashboards/candela.json'));
const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr] as const),
);
const expressions = [...alerts, ...panels];

const METRIC = /\b(?:candela|nodejs|process)_\w+/g;
const SELECTOR = /\b((?:candela|nodejs|process)_\w+)\{([^}]*)\}/g;
const MATCHER = /(\w+)(=~|!~|!=|=)"([^"]*)"/g;
/** Prometheus gives them to every series that it scrapes. */
const OF_SCRAPE = ['instance', 'job', 'le'];

const labelsOf = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [name, value]));

/** The series of a scrape: by metric, the labels of each. */
const seriesOf = (text: string): Map<string, Map<string, string>[]> => {
  const found = new Map<string, Map<string, string>[]>();
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm))
    found.set(name, [...(found.get(name) ?? []), labelsOf(labels)]);
  return found;
};

/** What an expression asks for that no series of the scrape has. */
const missingIn = (expression: string, series: ReturnType<typeof seriesOf>): string[] => {
  const missing = [...expression.matchAll(METRIC)].map(([name]) => name).filter((name) => !series.has(name));
  for (const [, name = '', selector = ''] of expression.matchAll(SELECTOR))
    for (const [matcher, label = '', operator, value] of selector.matchAll(MATCHER)) {
      const values = (series.get(name) ?? []).map((labels) => labels.get(label));
      const isThere = operator === '=' ? values.includes(value) : values.some((one) => one !== undefined);
      if (!isThere) missing.push(`${name}{${matcher}}`);
    }
  const known = new Set(
    [...expression.matchAll(METRIC)].flatMap(
      ([name]) => series.get(name)?.flatMap((labels) => [...labels.keys()]) ?? [],
    ),
  );
  for (const [, names = ''] of expression.matchAll(/\bby \(([^)]*)\)/g))
    for (const name of names.split(', '))
      if (!known.has(name) && !OF_SCRAPE.includes(name)) missing.push(`by (${name})`);
  return missing;
};

describe.skipIf(!testDatabaseUrl)(`what an operator sees of a server${skipped}`, () => {
  let cluster: Cluster;
  let collector: Awaited<ReturnType<typeof startTraceCollector>>;
  let text = '';
  let series: ReturnType<typeof seriesOf>;

  beforeAll(async () => {
    const metricsPort = await freePort();
    collector = await startTraceCollector();
    cluster = await startCluster({
      databaseUrl: testDatabaseUrl ?? '',
      processes: 1,
      env: {
        METRICS_PORT: String(metricsPort),
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        CODE_PER_ADDRESS_PER_HOUR: '4',
        LOG_LEVEL: 'info',
      },
    });
    const app = await cluster.registerApp();
    const { agent, identifier } = await cluster.signUp('+8613912345678');
    await cluster.signIn(identifier);
    const { tokens } = await cluster.link(agent, app.rp);
    const refreshed = await app.rp.refresh(tokens.refresh_token ?? '');
    await app.rp.refresh('unknown').catch(() => undefined);
    await sql`insert into ended_link (brand, id, account_id, client_id, scope, reason, since)
      select 'aurelia', 'ended', account_id, ${app.clientId}, 'openid', 'expired', now()
      from account_identifier`.execute(cluster.db);
    await app.rp.introspect(refreshed.access_token);
    await agent.get('/api/sessions/nobodys');
    await agent.request('DELETE', '/api/sessions/nobodys');
    await agent.get('/nowhere/at/all');
    for (let codes = 0; codes < 5; codes += 1)
      await agent.post('/api/codes', { identifier: `nobody${codes}@example.com`, purpose: 'login' });
    text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    series = seriesOf(text);
  });
  afterAll(async () => {
    await cluster?.close();
    await collector?.close();
  });

  test('requests are measured by the template of their path, never by the path', () => {
    const routes = new Set(
      series.get('candela_http_request_duration_seconds_count')?.map((labels) => labels.get('route') ?? ''),
    );
    expect([...routes]).toEqual(
      expect.arrayContaining([
        '/oauth/token',
        '/oauth/authorize',
        '/oauth/authorize/:uid',
        '/interaction/:uid/login',
        '/api/sessions/:id',
        'other',
      ]),
    );
    expect([...routes].filter((route) => /nobodys|nowhere|[A-Z]\w{8}/.test(route))).toEqual([]);
  });

  test('sign-ins, registrations, tokens and codes are counted', () => {
    for (const line of [
      'candela_token_request_duration_seconds_count{grant_type="refresh_token",outcome="issued"} 1',
      'candela_token_request_duration_seconds_count{grant_type="refresh_token",outcome="invalid_grant"} 1',
      'candela_sign_ins_total{outcome="succeeded",method="password",reason=""} 1',
      'candela_registrations_total{outcome="succeeded",reason=""} 1',
      'candela_sms_codes_total{prefix="86",outcome="verified"} 1',
      'candela_refreshes_total{platform="other"} 1',
      'candela_refreshes_total{platform="alexa"} 0',
      'candela_links_ended_last_day{platform="other",reason="expired"} 1',
      'candela_ready 1',
      'candela_changes_heard 1',
    ])
      expect(text.split('\n')).toContain(line);
  });

  test('every metric and label of an alert or of the dashboard is one that a server exports', () => {
    expect(alerts.length).toBeGreaterThan(15);
    expect(panels.length).toBeGreaterThan(25);
    expect(
      missingIn(
        'sum by (colour) (rate(candela_sign_ins_total{method="telepathy"}[5m])) > candela_nothing',
        series,
      ),
    ).toEqual(['candela_nothing', 'candela_sign_ins_total{method="telepathy"}', 'by (colour)']);
    const missing = expressions.flatMap(([name, expression]) =>
      missingIn(expression, series).map((one) => `${name}: ${one}`),
    );
    expect(missing).toEqual([]);
  });

  test('docs/operating/watching.md lists every metric of our own, and no other', () => {
    const ofHistogram = /_(?:bucket|sum|count)$/;
    const exported = [...series.keys()]
      .filter((name) => name.startsWith('candela_'))
      .map((name) =>
        series.has(name.replace(ofHistogram, '_bucket')) ? name.replace(ofHistogram, '') : name,
      );
    const listed = [...read('docs/operating/watching.md').matchAll(/`(candela_\w+)/g)].map(
      ([, name]) => name,
    );
    expect([...new Set(listed)].toSorted()).toEqual([...new Set(exported)].toSorted());
  });

  test('a sign-in is a trace: its request, its statements and its hash, found from its line of the log', async () => {
    await cluster.processes[0]?.stop();
    const spans = collector.spans();
    const login = spans.find(({ name }) => name === 'POST /interaction/:uid/login');
    const within = spans.filter(({ traceId }) => traceId === login?.traceId);
    expect(within.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['verify password', expect.stringMatching(/^select \w+$/)]),
    );
    const ids = new Set(within.map(({ spanId }) => spanId));
    expect(within.filter(({ parentSpanId = '' }) => !ids.has(parentSpanId))).toEqual([login]);
    const attributes = new Map(login?.attributes.map(({ key, value }) => [key, value]));
    expect(attributes.get('http.response.status_code')).toEqual({ intValue: 200 });
    const line = (cluster.processes[0]?.log() ?? '')
      .split('\n')
      .filter((text) => text.includes('"event":"sign_in.succeeded"'))
      .map((text) => JSON.parse(text))
      .find(({ method }) => method === 'password');
    expect(line).toMatchObject({ traceId: login?.traceId });
    expect(attributes.get('candela.request_id')).toEqual({ stringValue: line.requestId });
  });
});

test('every alert leads to a section of the runbook, and the sections name no alert that is not there', () => {
  const headings = [...read('docs/operating/README.md').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
  const rules = read('docker/prometheus/alerts.yml');
  const runbooks = [...rules.matchAll(/^ +runbook: (.+)$/gm)].map(([, link = '']) => link);
  expect(runbooks).toHaveLength(alerts.length);
  for (const link of runbooks) {
    const [file, anchor] = link.split('#');
    expect(file).toBe('docs/operating/README.md');
    expect(headings).toContain(anchor);
  }
  const named = [...read('docs/operating/README.md').matchAll(/`(Candela[A-Z]\w+)`/g)].map(
    ([, name]) => name,
  );
  expect([...new Set(named)].toSorted()).toEqual(alerts.map(([name]) => name).toSorted());
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

describe.skipIf(!hasPromtool)(
  `the alert rules${hasPromtool ? '' : ' (skipped: promtool is not installed)'}`,
  () => {
    test('are valid, and each of them fires when it should and only then', () => {
      const promtool = (...args: string[]) =>
        execFileSync('promtool', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
      expect(promtool('check', 'rules', 'docker/prometheus/alerts.yml')).toContain('SUCCESS');
      expect(promtool('test', 'rules', 'docker/prometheus/alerts.test.yml')).toContain('SUCCESS');
      const tested = read('docker/prometheus/alerts.test.yml');
      for (const [name] of alerts)
        for (const kind of ['fires', 'stays quiet']) expect(tested).toContain(`  - name: ${name} ${kind}\n`);
    });
  },
);
