import {
  type Endpoint,
  type EndpointBody,
  type EndpointParams,
  type EndpointQuery,
  type EndpointResponse,
  type ErrorCode,
  errorStatus,
  isErrorCode,
  successStatus,
} from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import * as z from 'zod/mini';
import { isStorable } from '../ground/db/storable-text.ts';
import { AppError } from '../ground/errors.ts';
import { readBody, readJsonBody } from './json-body.ts';

interface Input<E> {
  params: EndpointParams<E>;
  query: EndpointQuery<E>;
  body: EndpointBody<E>;
}

type Handler<E> = (
  ctx: Context,
  input: Input<E>,
) => Promise<EndpointResponse<E, 'input'> extends undefined ? void : EndpointResponse<E, 'input'>>;

type Issue = z.core.$ZodIssue;

const codeOf = (issue: Issue): ErrorCode =>
  isErrorCode(issue.message) && errorStatus[issue.message] < 500 ? issue.message : 'invalid_request';

/** The code of a missing field. */
const blankCodes: Record<string, ErrorCode> = {
  identifier: 'identifier_blank',
  password: 'password_blank',
  code: 'code_blank',
  phone: 'phone_blank',
  email: 'email_blank',
  reason: 'reason_blank',
};

/** Unknown fields beyond this number are not listed. */
const LISTED = 20;

const fieldsOf = (issues: readonly Issue[], input: unknown): Record<string, ErrorCode> => {
  // Without a prototype: `__proto__` is a name like any other here.
  const fields: Record<string, ErrorCode> = Object.create(null);
  for (const issue of issues) {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, LISTED)) fields[[...path, key].join('.')] ??= 'invalid_request';
      continue;
    }
    if (issue.code === 'invalid_union') {
      // What is wrong with each of the forms: none of them fits.
      for (const [name, code] of issue.errors.flatMap((form) => Object.entries(fieldsOf(form, input))))
        fields[[...path, name].join('.')] ??= code;
      continue;
    }
    const [name = ''] = path;
    if (name === '') continue;
    const missing = path.length === 1 && (input as Record<string, unknown> | undefined)?.[name] === undefined;
    fields[path.join('.')] ??= (missing ? blankCodes[name] : undefined) ?? codeOf(issue);
  }
  return fields;
};

/** @throws AppError invalid_request, or the one code that all wrong fields have in common, with `fields`. */
const validate = (schema: z.ZodMiniType, input: unknown): unknown => {
  const result = z.safeParse(schema, input);
  if (result.success) return result.data;
  const fields = fieldsOf(result.error.issues, input);
  const codes = new Set(Object.values(fields));
  const [only] = codes;
  throw new AppError(codes.size === 1 && only ? only : 'invalid_request', { fields });
};

const readQuery = (ctx: Context): Record<string, unknown> => {
  const refused = Object.entries(ctx.query).find(
    ([, value]) => value === undefined || Array.isArray(value) || !isStorable(value),
  );
  if (refused) throw new AppError('invalid_request', { fields: { [refused[0]]: 'invalid_request' } });
  return { ...ctx.query };
};

const nothing = z.strictObject({});

/** Whether bytes follow the header (RFC 9112 section 6.3). */
const hasBody = (ctx: Context) => (ctx.request.length ?? 0) > 0 || ctx.get('transfer-encoding') !== '';

/** Unknown fields are refused, and so is a body where none is declared: its sender expects an effect. */
const readInput = async (ctx: Context, { method, body, bodyOptional, bytes }: Endpoint): Promise<unknown> => {
  if (bytes) {
    if (!ctx.request.is(...bytes.types)) throw new AppError('unsupported_media_type');
    return readBody(ctx, bytes.limitBytes);
  }
  if (bodyOptional && !hasBody(ctx)) return {};
  if (body) return validate(body, await readJsonBody(ctx));
  if (method !== 'GET' && hasBody(ctx)) validate(nothing, await readJsonBody(ctx));
  return undefined;
};

const ACCEPTED = 202;
/** A parameter of a path is an id, and ids of clients have any of these characters. */
const PARAMETER = /^[\x21-\x7e]{1,200}$/;

const readParams = (ctx: Context): Record<string, string> => {
  const params = (ctx as Context & { params: Record<string, string> }).params;
  if (Object.values(params).some((value) => !PARAMETER.test(value))) throw new AppError('not_found');
  return params;
};

interface MountOptions {
  /** Runs before the body is read, so that a large one is read only from a caller who may send it. */
  before?: (ctx: Context) => Promise<unknown>;
}

/**
 * Mounts an endpoint of the contract: validates the request, and answers with the declared status. The handler of an
 * endpoint that `waits` sets the status to 202 where the change waits.
 */
export const mount = <E extends Endpoint>(
  router: Router,
  endpoint: E,
  handler: Handler<E>,
  { before }: MountOptions = {},
): void => {
  const answerRequest = async (ctx: Context) => {
    await before?.(ctx);
    const input = {
      params: readParams(ctx),
      query: validate(endpoint.query ?? nothing, readQuery(ctx)),
      body: await readInput(ctx, endpoint),
    } as Input<E>;
    const answer = await handler(ctx, input);
    const waits = endpoint.waits && ctx.status === ACCEPTED;
    ctx.body = endpoint.response ? (answer as unknown as object) : null;
    if (endpoint.file) {
      ctx.body = Buffer.from(answer as unknown as Uint8Array);
      ctx.type = endpoint.file;
    }
    ctx.status = waits ? ACCEPTED : successStatus(endpoint);
  };
  // A path has one spelling: what is refused by its path is not reached by another one.
  router.register(endpoint.path, [endpoint.method], answerRequest, { sensitive: true, strict: true });
};
