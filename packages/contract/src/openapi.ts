import * as z from 'zod/mini';
import { type Endpoint, successStatus } from './endpoint.ts';
import { type CommonErrorCode, type ErrorCode, errorStatus } from './errors.ts';

const commonErrors: readonly CommonErrorCode[] = [
  'invalid_request',
  'rate_limited',
  'internal_error',
  'unavailable',
  'busy',
];
const guardErrors: readonly CommonErrorCode[] = ['cross_site', 'too_large', 'unsupported_media_type'];

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'requestId'],
      properties: {
        code: { type: 'string', enum: Object.keys(errorStatus) },
        fields: { type: 'object', additionalProperties: { type: 'string' } },
        ticket: { type: 'string' },
        retryAfterSeconds: { type: 'integer' },
        requestId: { type: 'string' },
      },
    },
  },
};

const jsonContent = (schema: unknown) => ({ 'application/json': { schema } });

const describeErrors = (codes: readonly ErrorCode[]) => {
  const byStatus = Map.groupBy(new Set(codes), (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      { description: list.join(', '), content: jsonContent({ $ref: '#/components/schemas/Error' }) },
    ]),
  );
};

const describeParameters = (value: Endpoint) => {
  const path = [...value.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const query = value.query ? z.toJSONSchema(value.query, { io: 'input' }) : undefined;
  return [
    ...path,
    ...Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: false,
      schema,
    })),
  ];
};

const describeBody = ({ body, bodyOptional = false, bytes }: Endpoint) => {
  if (body) return { required: !bodyOptional, content: jsonContent(z.toJSONSchema(body, { io: 'input' })) };
  return (
    bytes && {
      required: true,
      description: `At most ${bytes.limitBytes} bytes`,
      content: Object.fromEntries(bytes.types.map((type) => [type, {}])),
    }
  );
};

const describe = (name: string, value: Endpoint) => ({
  operationId: name,
  summary: value.summary,
  security: value.auth === 'none' ? [] : [{ [value.auth]: [] }],
  parameters: describeParameters(value),
  ...((value.body || value.bytes) && { requestBody: describeBody(value) }),
  responses: {
    [successStatus(value)]: {
      description: value.summary,
      ...(value.response && { content: jsonContent(z.toJSONSchema(value.response)) }),
    },
    ...(value.waits && {
      202: {
        description: 'It waits',
        ...(value.response && { content: jsonContent(z.toJSONSchema(value.response)) }),
      },
    }),
    ...describeErrors([...commonErrors, ...(value.method === 'GET' ? [] : guardErrors), ...value.errors]),
  },
});

/** The OpenAPI 3.1 document of the given endpoints; `serverUrl` is the brand's origin. */
export const toOpenApi = (endpoints: Record<string, Endpoint>, serverUrl: string, version: string) => {
  const secure = serverUrl.startsWith('https:');
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, value] of Object.entries(endpoints)) {
    const path = value.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [value.method.toLowerCase()]: describe(name, value) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Candela account API', version },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: secure ? '__Host-session' : '_session' },
        interaction: {
          type: 'apiKey',
          in: 'cookie',
          name: secure ? '__Secure-interaction' : '_interaction',
        },
      },
    },
  };
};
