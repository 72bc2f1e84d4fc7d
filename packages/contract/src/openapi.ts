import * as z from 'zod/mini';
import { type Endpoint, successStatus } from './endpoint.ts';
import { type CommonErrorCode, type ErrorCode, errorStatus } from './errors.ts';
import { type OperationName, operations, parameterTexts, tags } from './operations.ts';
import { cookieNames } from './rules/cookie-names.ts';

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

/** A parameter of every operation that changes something. */
const originParameter = {
  name: 'Origin',
  in: 'header',
  required: false,
  description:
    'Exactly the origin of this server, as browsers send it from its own pages. Without it `Sec-Fetch-Site: same-origin` is needed; any other value of either, and neither of them, is 403 `cross_site`. A request with a bearer token needs neither.',
  schema: { type: 'string', format: 'uri' },
};

const describeInfo = (version: string, serverUrl: string) => ({
  title: 'Candela REST API',
  version,
  description: [
    'What the pages of the portal speak with their server: REST with JSON, for a browser that holds the cookies. Machines register clients by `/api/clients` with a token, and the brand’s own apps approve clients by `/api/approvals`. Apps of third parties use the OpenID Connect endpoints instead, which discovery lists.',
    '**Origin.** A request that changes something is taken only from the portal’s own pages: by `Origin`, or by `Sec-Fetch-Site: same-origin` where there is no `Origin`. A request with a bearer token needs neither. There is no CORS.',
    `**Tokens.** A machine gets a token by client credentials, with \`scope=clients\` and \`resource=${serverUrl}/api\`, if an operator registered it with that scope. A refused token is 401 or 403 with \`WWW-Authenticate: Bearer\` (RFC 6750). Where a request has a token, its cookies do not count.`,
    '**Errors** are `{"error": {"code", "requestId"}}`: a code for programs and no sentence; `fields` maps a field to the code of its fault. `429` and `503` carry `Retry-After`.',
    '**Step-up.** What needs one is 403 `step_up_required` until the session proved itself within 10 minutes.',
  ].join('\n\n'),
  contact: { name: 'The portal', url: serverUrl },
  license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
});

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
    description: parameterTexts[name ?? ''],
    schema: { type: 'string' },
  }));
  const query = value.query ? z.toJSONSchema(value.query, { io: 'input' }) : undefined;
  return [
    ...path,
    ...Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: false,
      description: parameterTexts[name],
      schema,
    })),
    ...(value.method === 'GET' ? [] : [{ $ref: '#/components/parameters/Origin' }]),
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

/** A developer comes with the session of a browser, a machine with a token. */
const securityOf = ({ auth }: Endpoint) => {
  if (auth === 'none') return [];
  if (auth === 'app') return [{ ownApp: [] }];
  return auth === 'developer' ? [{ session: [] }, { machine: [] }] : [{ [auth]: [] }];
};

const describe = (name: OperationName, value: Endpoint) => ({
  operationId: name,
  tags: [operations[name].tag],
  summary: value.summary,
  description: operations[name].description,
  security: securityOf(value),
  parameters: describeParameters(value),
  ...((value.body || value.bytes) && { requestBody: describeBody(value) }),
  responses: {
    [successStatus(value)]: {
      description: value.summary,
      ...(value.response && { content: jsonContent(z.toJSONSchema(value.response)) }),
      ...(value.file && { content: { [value.file]: {} } }),
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
export const toOpenApi = (
  endpoints: Readonly<Record<OperationName, Endpoint>>,
  serverUrl: string,
  version: string,
) => {
  const cookies = cookieNames(serverUrl);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, value] of Object.entries(endpoints) as [OperationName, Endpoint][]) {
    const path = value.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [value.method.toLowerCase()]: describe(name, value) };
  }
  return {
    openapi: '3.1.0',
    info: describeInfo(version, serverUrl),
    servers: [{ url: serverUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { Error: errorSchema },
      parameters: { Origin: originParameter },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookies.session,
          description: 'Of a browser that is signed in to the portal.',
        },
        machine: {
          type: 'http',
          scheme: 'bearer',
          description: `An access token by client credentials, of the scope \`clients\` for the resource \`${serverUrl}/api\`.`,
        },
        ownApp: {
          type: 'http',
          scheme: 'bearer',
          description: `An access token of a person in an app of the brand’s own, of the scope \`approvals\` for the resource \`${serverUrl}/api\`.`,
        },
        interaction: {
          type: 'apiKey',
          in: 'cookie',
          name: cookies.interaction,
          description:
            'Of the browser that the authorization request came from, for the path of one interaction.',
        },
      },
    },
  };
};
