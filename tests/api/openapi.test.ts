import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { endpoints, pathOf } from './routes.ts';

interface Operation {
  operationId: string;
  responses: Record<string, unknown>;
  requestBody?: unknown;
}

let world: World;
let document: {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
};
beforeAll(async () => {
  world = await createWorld();
  document = (await world.browser().get('/openapi.json')).json();
});
afterAll(() => world.close());

describe('/openapi.json', () => {
  test('describes this server', () => {
    expect(document.openapi).toMatch(/^3\.1/);
    expect(document.servers).toEqual([{ url: world.origin }]);
  });

  test('is the same for everybody, and is not sent twice', async () => {
    const first = await world.browser().get('/openapi.json');
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    const again = await world.browser().get('/openapi.json', { headers: { 'if-none-match': etag } });
    expect([again.status, again.body]).toEqual([304, '']);
    const stale = await world.browser().get('/openapi.json', { headers: { 'if-none-match': '"other"' } });
    expect([stale.status, stale.body]).toEqual([200, first.body]);
  });

  test.each(endpoints)('has %s with its body, its success and its errors', (name, endpoint) => {
    const operation =
      document.paths[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()];
    expect(operation?.operationId).toBe(name);
    expect(operation?.requestBody !== undefined).toBe((endpoint.body ?? endpoint.bytes) !== undefined);
    const statuses = Object.keys(operation?.responses ?? {});
    expect(statuses.some((status) => status.startsWith('2'))).toBe(true);
    expect(statuses).toContain('400');
    expect(operation?.responses['503']).toMatchObject({ description: expect.stringContaining('busy') });
  });

  test('has nothing that the contract has not', () => {
    const operations = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(operations.sort()).toEqual(endpoints.map(([name]) => name).sort());
  });

  test.each(endpoints)('%s is really there, and closed to a stranger', async (_name, endpoint) => {
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
