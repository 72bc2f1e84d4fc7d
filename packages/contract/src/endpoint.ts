import type * as z from 'zod/mini';
import type { CommonErrorCode, ErrorCode } from './errors.ts';
import type { StaffRole } from './rules/desk-acts.ts';

type Schema = z.ZodMiniType;

/** `/a/:x/b/:y` has the parameters `{x: string, y: string}`. */
export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name | keyof PathParams<Rest>]: string }
  : Path extends `${string}:${infer Name}`
    ? { [K in Name]: string }
    : Record<never, string>;

/** One route of the REST API: the server mounts it, `/openapi.json` describes it, and its type checks calls of it. */
export interface Endpoint<
  Path extends string = string,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Response extends Schema | undefined = Schema | undefined,
  Errors extends ErrorCode = ErrorCode,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: Path;
  /**
   * What the caller must hold: nothing, the session cookie, the cookie of the interaction in the path, as `developer`
   * the session cookie of an allowed developer or a bearer token of a machine with the scope `clients`, as `app` a
   * bearer token of a person with the scope `approvals`, or as `staff` the session cookie of somebody with a `role`.
   */
  auth: 'none' | 'session' | 'interaction' | 'developer' | 'app' | 'staff';
  /** The least role of `staff`. */
  role?: StaffRole;
  query?: Query;
  /** The JSON body; unknown fields are refused. */
  body?: Body;
  /** The body is not JSON but bytes of one of these media types, at most `limitBytes`. */
  bytes?: { types: readonly string[]; limitBytes: number };
  /** The JSON of the response; absent: the response is empty. */
  response?: Response;
  /** The media type of a response that is a file. */
  file?: string;
  /** Status of success. Default: 200 with a `response` or a `file`, 204 without. */
  status?: 200 | 201 | 202 | 204;
  /** The requested change may have to wait: then the status is 202. */
  waits?: boolean;
  /** The body may be left out. */
  bodyOptional?: boolean;
  /** The error codes of the endpoint, besides the codes of every endpoint. */
  errors: readonly Errors[];
  summary: string;
}

type Infer<S, Side extends 'input' | 'output'> = S extends Schema
  ? Side extends 'input'
    ? z.input<S>
    : z.output<S>
  : undefined;

export type EndpointParams<E> = E extends Endpoint<infer Path> ? PathParams<Path> : never;
export type EndpointQuery<E> = E extends { query: infer Q } ? Infer<Q, 'output'> : undefined;
/** The JSON body. Bytes are a Blob for the caller (`input`) and a Uint8Array for the server (`output`). */
export type EndpointBody<E, Side extends 'input' | 'output' = 'output'> = E extends { body: infer B }
  ? Infer<B, Side>
  : E extends { bytes: object }
    ? Side extends 'input'
      ? Blob
      : Uint8Array
    : undefined;
/** A file is a Blob for the caller (`output`) and bytes for the server (`input`). */
export type EndpointResponse<E, Side extends 'input' | 'output' = 'output'> = E extends { response: infer R }
  ? Infer<R, 'output'>
  : E extends { file: string }
    ? Side extends 'input'
      ? Uint8Array
      : Blob
    : undefined;
export type EndpointErrors<E> = E extends { errors: readonly (infer C)[] } ? C | CommonErrorCode : never;

/** Declares an endpoint, keeping the literal types of its path, schemas and error codes. */
export const endpoint = <
  const Path extends string,
  const E extends Endpoint<Path, Schema | undefined, Schema | undefined, Schema | undefined, ErrorCode>,
>(
  value: E & { path: Path },
): E & { path: Path } => value;

/** The status of a success of this endpoint. */
export const successStatus = (value: Endpoint): 200 | 201 | 202 | 204 =>
  value.status ?? (value.response || value.file ? 200 : 204);
