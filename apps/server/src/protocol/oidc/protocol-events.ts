import type { Context } from 'koa';
import type Provider from 'oidc-provider';
import type { ClientRecords } from '../../clients/client-health/client-records.ts';
import type { EventName } from '../../ground/event/event-names.ts';
import type { EventFields, EventSink } from '../../ground/event/events.ts';
import { isStandIn } from '../../person/stand-in/stand-in.ts';
import { policyOf } from './client/client-policy.ts';
import { endpoints } from './endpoints.ts';
import type { EngineError } from './engine-error.ts';
import { presentedIn } from './refresh/presented.ts';
import type { RefusalRecorder } from './refusal/refused-requests.ts';
import type { FlushOutcome } from './storage/flush.ts';
import { currentUnit, type UnitOfWork } from './storage/unit.ts';

/** What presenting a code again did to the tokens of the code. */
export type CodeReuse = 'duplicate' | 'ended' | 'late';

const reuseDetails: Readonly<Record<CodeReuse, string>> = {
  duplicate: 'a duplicate: its tokens live',
  ended: 'its tokens were ended',
  late: 'too late: its tokens live',
};

const refusalEvents = [
  'grant.error',
  'server_error',
  'authorization.error',
  'pushed_authorization_request.error',
  'device_authorization.error',
  'code_verification.error',
  'device_resume.error',
  'end_session.error',
  'end_session_confirm.error',
  'introspection.error',
  'revocation.error',
] as const;

/** Keeps the engine's own error, which its answer need not repeat, for the event of the request. */
export const noteRefusals = (provider: Provider): void => {
  const note = (_ctx: unknown, error: EngineError) => {
    const unit = currentUnit();
    if (unit) unit.noted.refusal = error;
  };
  // The engine's types have an overload for each name, and none for all of them.
  for (const name of refusalEvents) provider.on(name as 'grant.error', note);
};

const DETAIL_LENGTH = 200;

/** The engine's words, which never hold a credential: they repeat names and addresses of the request at most. */
const detailOf = ({ error_detail: detail, error_description: description }: EngineError) => {
  const text = detail ?? description;
  return typeof text === 'string' ? text.slice(0, DETAIL_LENGTH) : undefined;
};

/** The engine's words, where another request used the code first. */
const CODE_USED = 'authorization code already consumed';

const reasonOf = ({ error }: EngineError) => (typeof error === 'string' ? error : undefined);

/** What a device is answered while nobody has allowed it yet (RFC 8628 section 3.5): the flow itself, no refusal. */
const WAITING: ReadonlySet<string | undefined> = new Set(['authorization_pending', 'slow_down']);

export interface ServedRequest {
  ctx: Context;
  unit: UnitOfWork;
  outcome: FlushOutcome;
  reuse: CodeReuse | undefined;
}

/** The error that an answer of the engine is; nothing where the answer is none. */
const errorIn = (body: unknown): EngineError => (typeof body === 'object' && body !== null ? body : {});

type Emit = (name: EventName, fields?: EventFields) => void;

/** @returns the refusal that the request was answered with, if any. */
const emitToken = (emit: Emit, { ctx, unit, outcome, reuse }: ServedRequest): EngineError | undefined => {
  const { noted } = unit;
  const rotation = presentedIn(unit);
  if (reuse) emit('token.code_reused', { reason: reuse, detail: reuseDetails[reuse] });
  if (noted.familyEnded && rotation) emit('token.theft');
  if (ctx.status >= 400 && rotation?.verdict === 'late') emit('token.duplicate');
  if (ctx.status === 200 && rotation && (rotation.successor || outcome === 'rotated-elsewhere'))
    emit('token.repeated');
  const answer = errorIn(ctx.body);
  const reason = reasonOf(answer);
  if (ctx.status < 400 || WAITING.has(reason)) return undefined;
  const refusal = noted.refusal ?? answer;
  const { grant_type: grantType } = ctx.oidc?.params ?? {};
  const known = ctx.oidc?.client?.grantTypeAllowed(String(grantType)) ? { grantType: String(grantType) } : {};
  const detail = outcome === 'committed' ? detailOf(refusal) : `lost a race: ${outcome}`;
  emit('token.refused', { ...known, reason, ...(detail && { detail }) });
  return { ...refusal, error: reason, ...(reuse && { error_detail: CODE_USED }) };
};

const emitRefused = (emit: Emit, event: EventName, refusal: EngineError): EngineError => {
  const detail = detailOf(refusal);
  emit(event, {
    reason: reasonOf(refusal) ?? 'server_error',
    ...(detail && { detail }),
  });
  return refusal;
};

/** The event of a refused request, by its endpoint. */
const refusedAt: readonly (readonly [string, EventName])[] = [
  [endpoints.authorization, 'authorization.refused'],
  [endpoints.pushed_authorization_request, 'authorization.refused'],
  [endpoints.device_authorization, 'authorization.refused'],
  [endpoints.code_verification, 'authorization.refused'],
  [endpoints.token, 'token.refused'],
  [endpoints.end_session, 'logout.refused'],
  [endpoints.introspection, 'introspection.refused'],
  [endpoints.revocation, 'revocation.refused'],
];

const refusedAtPath = new Map(refusedAt.map((row) => [row[0], row]));

const refusedBelow = (path: string) =>
  refusedAtPath.get(path) ?? refusedAt.find(([endpoint]) => path.startsWith(`${endpoint}/`));

/** The event of a refusal at a path, which may be below an endpoint: resuming belongs to authorization. */
export const refusalEventOf = (path: string): EventName | undefined => refusedBelow(path)?.[1];

/** Who hears of requests to the engine. */
export interface OutcomeSinks {
  events: EventSink;
  records: Pick<ClientRecords, 'count' | 'countRefresh' | 'countLink'>;
  recordRefusal: RefusalRecorder;
}

/** The refusal that was answered at an endpoint; undefined where none was. */
const shownIn = ({ ctx, unit }: ServedRequest, event: EventName): EngineError | undefined => {
  const { refusal } = unit.noted;
  const answer = errorIn(ctx.body);
  // An authorization error leads a person on, whatever the status. Some requests of programs are answered in spite of an error.
  if (event === 'authorization.refused')
    return refusal && { ...refusal, error: reasonOf(answer) ?? refusal.error };
  if (ctx.status < 400) return undefined;
  // An answer that this server made of the engine's success.
  return refusal ?? (reasonOf(answer) ? answer : undefined);
};

const countToken = (records: OutcomeSinks['records'], { ctx, unit }: ServedRequest) => {
  const { client } = ctx.oidc ?? {};
  if (!client || ctx.status !== 200 || isStandIn(client.clientId)) return;
  const isRefresh = presentedIn(unit) !== undefined;
  records.count(client.clientId, isRefresh ? 'refresh' : 'token');
  const { platform } = policyOf(client);
  if (isRefresh) records.countRefresh(platform);
  // A grant with a refresh token is a link.
  else if ((ctx.body as { refresh_token?: unknown } | undefined)?.refresh_token) records.countLink(platform);
};

/** Emits the events of one request to the engine, and hands on what developers see of it, once it is written. */
export const emitOutcome = (
  { events, records, recordRefusal }: OutcomeSinks,
  brand: string,
  request: ServedRequest,
): void => {
  const { ctx, unit } = request;
  const [endpoint, event] = refusedBelow(ctx.path) ?? [];
  if (!event || unit.noted.onlyAsked) return;
  const shown = shownIn(request, event);
  if (event === 'token.refused') countToken(records, request);
  else if (!shown && !unit.noted.grantRevoked) return;
  const { client, entities } = ctx.oidc ?? {};
  const owner = entities?.RefreshToken ?? entities?.AuthorizationCode ?? entities?.DeviceCode;
  const accountId = owner?.accountId ?? entities?.Account?.accountId;
  const emit = (name: EventName, fields: EventFields = {}) =>
    events.emit(name, {
      brand,
      ...(client && { clientId: client.clientId }),
      ...(accountId && { accountId }),
      ...fields,
    });
  if (unit.noted.grantRevoked && ctx.status < 400) emit('token.revoked');
  const refusal =
    event === 'token.refused' ? emitToken(emit, request) : shown && emitRefused(emit, event, shown);
  if (endpoint && refusal) recordRefusal({ ctx, unit, endpoint, refusal });
};
