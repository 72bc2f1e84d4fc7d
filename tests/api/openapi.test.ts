import { clientApi } from '@candela/contract';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { changing, endpoints, pathOf } from './routes.ts';

interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  description?: string;
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: Parameter[];
  responses: Record<string, unknown>;
  requestBody?: unknown;
}

let world: World;
let document: {
  openapi: string;
  info: { title: string; version: string; description: string; license: object; contact: object };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  components: {
    parameters: Record<string, Required<Parameter>>;
    securitySchemes: Record<string, { description: string }>;
  };
  paths: Record<string, Record<string, Operation>>;
};
beforeAll(async () => {
  world = await createWorld();
  document = (await world.browser().get('/openapi.json')).json();
});
afterAll(() => world.close());

const operationsOf = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));

describe('/openapi.json', () => {
  test('describes this server', () => {
    expect(document.openapi).toMatch(/^3\.1/);
    expect(document.servers).toEqual([{ url: world.origin }]);
  });

  test('is the same for everybody, and answers 304 to its ETag', async () => {
    const first = await world.browser().get('/openapi.json');
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    const again = await world.browser().get('/openapi.json', { headers: { 'if-none-match': etag } });
    expect([again.status, again.body]).toEqual([304, '']);
    const stale = await world.browser().get('/openapi.json', { headers: { 'if-none-match': '"other"' } });
    expect([stale.status, stale.body]).toEqual([200, first.body]);
  });

  test.each(endpoints)('has %s with its request body, its success and its errors', (name, endpoint) => {
    const operation =
      document.paths[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()];
    expect(operation?.operationId).toBe(name);
    expect(operation?.requestBody !== undefined).toBe((endpoint.body ?? endpoint.bytes) !== undefined);
    const statuses = Object.keys(operation?.responses ?? {});
    expect(statuses.some((status) => status.startsWith('2'))).toBe(true);
    expect(statuses).toContain('400');
    expect(operation?.responses['503']).toMatchObject({ description: expect.stringContaining('busy') });
  });

  test('describes itself, and uses and describes each of its tags', () => {
    const { info, tags, components } = document;
    expect(Object.values(info).every(Boolean)).toBe(true);
    expect(Object.keys(info)).toEqual(['title', 'version', 'description', 'contact', 'license']);
    expect(tags.every(({ description }) => description.length > 10)).toBe(true);
    for (const { description } of Object.values(components.securitySchemes)) expect(description).toBeTruthy();
    const used = new Set(operationsOf().flatMap((operation) => operation.tags));
    expect([...used].toSorted()).toEqual(tags.map(({ name }) => name).toSorted());
  });

  // Warnings of OpenAPI linters: tags, sentences, parameters without descriptions, ambiguous paths.
  test.each(endpoints)(
    '%s has a tag, two sentences and a description of each parameter',
    (name, endpoint) => {
      const operation = operationsOf().find(({ operationId }) => operationId === name);
      expect(operation?.tags).toHaveLength(1);
      expect(operation?.summary).toMatch(/^[A-Z].*[^.]$/);
      expect(operation?.description).toMatch(/^[`A-Z].*\.$/s);
      expect(operationsOf().filter(({ description }) => description === operation?.description)).toHaveLength(
        endpoint.path.includes('phone') || endpoint.path.includes('email') ? 2 : 1,
      );
      const named = operation?.parameters.filter((parameter) => !parameter.$ref) ?? [];
      for (const parameter of named) expect(parameter.description, parameter.name).toBeTruthy();
      expect(
        named.filter((parameter) => parameter.in === 'path').map((parameter) => `:${parameter.name}`),
      ).toEqual(endpoint.path.match(/:\w+/g) ?? []);
      for (const scheme of operation?.security ?? [])
        expect(Object.keys(document.components.securitySchemes)).toEqual(
          expect.arrayContaining(Object.keys(scheme)),
        );
    },
  );

  test('exactly the operations that change something state which origins may call them', () => {
    const asks = ({ parameters }: Operation) =>
      parameters.some(({ $ref }) => $ref === '#/components/parameters/Origin');
    expect(
      operationsOf()
        .filter(asks)
        .map(({ operationId }) => operationId)
        .toSorted(),
    ).toEqual(changing.map(([name]) => name).toSorted());
    expect(document.components.parameters.Origin).toMatchObject({ in: 'header', name: 'Origin' });
    expect(document.components.parameters.Origin?.description).toContain('Sec-Fetch-Site');
    for (const operation of operationsOf().filter(asks))
      expect(operation.responses['403']).toMatchObject({
        description: expect.stringContaining('cross_site'),
      });
  });

  test('names who may call an operation: machines come with a token, people with a session', () => {
    const schemesOf = (name: string) =>
      operationsOf()
        .find(({ operationId }) => operationId === name)
        ?.security.map((requirement) => Object.keys(requirement));
    for (const name of Object.keys(clientApi)) expect(schemesOf(name)).toEqual([['session'], ['machine']]);
    expect([schemesOf('listSessions'), schemesOf('details'), schemesOf('sendCode')]).toEqual([
      [['session']],
      [['interaction']],
      [],
    ]);
    expect(document.components.securitySchemes.machine).toMatchObject({
      type: 'http',
      scheme: 'bearer',
      description: expect.stringContaining(`${world.origin}/api`),
    });
  });

  test('has no finding of a linter made for OpenAPI', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      // The server of this document is on this machine.
      rules: { 'no-server-example.com': 'off' },
    });
    const lint = async (source: object) =>
      (await lintFromString({ source: JSON.stringify(source), absoluteRef: 'openapi.json', config })).map(
        ({ ruleId, message }) => `${ruleId}: ${message}`,
      );
    expect(await lint(document)).toEqual([]);
    expect(await lint({ ...document, servers: [] })).not.toEqual([]);
  });

  test('has nothing beyond the contract', () => {
    const operations = operationsOf().map(({ operationId }) => operationId);
    expect(operations.sort()).toEqual(endpoints.map(([name]) => name).sort());
  });

  test.each(endpoints)('%s exists, and refuses a stranger', async (_name, endpoint) => {
    const [type = ''] = endpoint.bytes?.types ?? [];
    const answer = await world.browser().request(endpoint.method, pathOf(endpoint), {
      ...(endpoint.body && { json: { surprise: true } }),
      ...(endpoint.bytes && { raw: 'surprise', headers: { 'content-type': type } }),
    });
    expect(answer.status).not.toBe(404);
    expect(answer.json().error.code).toMatch(
      /^(invalid_request|identifier_blank|not_signed_in|interaction_expired)$/,
    );
  });
});

describe('/reference', () => {
  test('answers a page and its files, which are kept for good', async () => {
    const page = await world.browser().get('/reference');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("default-src 'none'");
    const files = page.body.match(/\/reference\/[\w-]{22}\.(?:js|css)/g) ?? [];
    expect(files).toHaveLength(3);
    for (const path of files) {
      const file = await world.browser().get(path);
      expect([file.status, file.headers['cache-control']]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
    expect((await world.browser().get('/reference/other.js')).status).toBe(404);
  });

  test('is an unknown page where API_REFERENCE is off', async () => {
    const closed = await createWorld({ env: { API_REFERENCE: 'off' } });
    expect((await closed.browser().get('/reference')).status).toBe(404);
    await closed.close();
  });
});
