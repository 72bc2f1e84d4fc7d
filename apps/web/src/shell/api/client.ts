import type {
  EndpointBody,
  EndpointName,
  EndpointParams,
  EndpointQuery,
  EndpointResponse,
  ErrorBody,
  ErrorCode,
  NamedEndpoint,
} from '@candela/contract';
import { TIME_ZONE_HEADER } from '@candela/contract/rules/time-zone';
import { urlOf } from '@candela/contract/rules/url-of';
import { noteFarewell } from './farewell.ts';
import { takeFirstAnswer } from './first-answer.ts';

/** A code of the contract, or `offline` where no answer came at all. */
export type ApiErrorCode = ErrorCode | 'offline';

interface ApiErrorDetails {
  status: number;
  fields?: Record<string, ErrorCode> | undefined;
  ticket?: string | undefined;
  retryAfterSeconds?: number | undefined;
  requestId?: string | undefined;
}

/** A refused call. It has codes and no sentence: the texts are in the catalogues. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly fields: Record<string, ErrorCode>;
  readonly ticket: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly requestId: string | undefined;

  constructor(code: ApiErrorCode, details: ApiErrorDetails, options?: ErrorOptions) {
    super(code, options);
    this.name = 'ApiError';
    this.code = code;
    this.status = details.status;
    this.fields = details.fields ?? {};
    this.ticket = details.ticket;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.requestId = details.requestId;
  }
}

type Params<E> = keyof EndpointParams<E> extends never ? { params?: never } : { params: EndpointParams<E> };
type Body<E> = E extends { bodyOptional: true }
  ? { body?: EndpointBody<E, 'input'> }
  : E extends { body: unknown } | { bytes: object }
    ? { body: EndpointBody<E, 'input'> }
    : { body?: never };
type Query<E> = E extends { query: unknown } ? { query?: EndpointQuery<E> } : { query?: never };
type Input<E> = Params<E> & Body<E> & Query<E> & { signal?: AbortSignal };
type Arguments<E> = Record<never, never> extends Input<E> ? [input?: Input<E>] : [input: Input<E>];

/** The input of any endpoint. */
interface AnyInput {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  body?: unknown;
  signal?: AbortSignal;
}

const requestTimeoutMs = 30_000;
let serverAheadMs = 0;

/** The browser's own time zone, which the server notes beside what changes the account. */
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();

/** The server's time by the `Date` of its last answer: deadlines are the server's, not this computer's. */
export const serverNow = (): number => Date.now() + serverAheadMs;

/** The code for an answer of a proxy, which has no body of the API. */
const codeOfStatus = (status: number): ErrorCode => {
  if (status === 429) return 'rate_limited';
  return status === 502 || status === 503 || status === 504 ? 'unavailable' : 'internal_error';
};

/** A code as the API spells it. The list of all codes stays with the server: a code without a text is told in general. */
const isCode = (code: unknown): code is ErrorCode => typeof code === 'string' && /^[a-z_]+$/.test(code);

const toApiError = async (response: Response): Promise<ApiError> => {
  const body = (await response.json().catch(() => undefined)) as Partial<ErrorBody> | undefined;
  const error = body?.error;
  const retryAfter = Number(response.headers.get('retry-after'));
  return new ApiError(isCode(error?.code) ? error.code : codeOfStatus(response.status), {
    status: response.status,
    fields: error?.fields,
    ticket: error?.ticket,
    retryAfterSeconds: error?.retryAfterSeconds ?? (retryAfter > 0 ? retryAfter : undefined),
    requestId: error?.requestId ?? response.headers.get('x-request-id') ?? undefined,
  });
};

/** The JSON of an answer, or its file; undefined where it is empty. */
const readAnswer = async (response: Response): Promise<unknown> => {
  const type = response.headers.get('content-type') ?? '';
  if (/^application\/(?:zip|jsonl)/.test(type)) return response.blob();
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
};

/**
 * Calls the endpoint that has this method and path: `call('PUT /api/account/phone', { body })`. Its parameters,
 * query, body and answer are typed by the contract.
 * @throws {ApiError} for every answer of 400 and above, and with `offline` when no answer came
 */
export const call = async <const Name extends EndpointName>(
  name: Name,
  ...inputs: Arguments<NamedEndpoint<Name>>
): Promise<EndpointResponse<NamedEndpoint<Name>>> => {
  // By `unknown`: there are more endpoints than the compiler compares one by one.
  const [input = {}] = inputs as unknown as [AnyInput?];
  const { params, query, body, signal } = input;
  const [method = '', path = ''] = name.split(' ');
  const url = urlOf(path, params, query);
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  const ask = () =>
    fetch(url, {
      method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(method !== 'GET' && timeZone && { [TIME_ZONE_HEADER]: timeZone }),
        ...(body !== undefined && {
          'content-type': body instanceof Blob ? body.type : 'application/json',
        }),
      },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    }).then(
      (response) => ({ response, at: Date.now() }),
      (cause: unknown) => {
        throw new ApiError('offline', { status: 0 }, { cause });
      },
    );
  const { response, at } = (await takeFirstAnswer(method, url)) ?? (await ask());
  const date = Date.parse(response.headers.get('date') ?? '');
  if (Number.isFinite(date)) serverAheadMs = date - at;
  if (!response.ok) throw await toApiError(response);
  return (await readAnswer(response)) as EndpointResponse<NamedEndpoint<Name>>;
};

/** Navigates to the sign-in, which returns to this page. */
export const goToSignIn = (): void => {
  const here = location.pathname + location.search;
  location.assign(`/sign-in?return_to=${encodeURIComponent(here)}`);
};

/** The same where the session is gone: the sign-in page says so. `kept`: the page keeps the input for the return. */
export const signInAgain = ({ kept = false } = {}): void => {
  noteFarewell(kept ? 'ended-kept' : 'ended');
  goToSignIn();
};
