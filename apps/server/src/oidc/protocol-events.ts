import type { Context } from 'koa';
import type Provider from 'oidc-provider';
import type { EventName } from '../event/event-names.ts';
import type { EventFields, EventSink } from '../event/events.ts';
import { endpoints } from './endpoints.ts';
import type { EngineError } from './error-descriptions.ts';
import type { FlushOutcome } from './storage/flush.ts';
import { currentUnit, type UnitOfWork } from './storage/unit.ts';

/** What became of the tokens of a code that was presented again. */
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

/** Keeps what the engine says of a refusal, which its answer need not repeat, for the request's event. */
export const noteRefusals = (provider: Provider): void => {
  const note = (_ctx: unknown, error: unknown) => {
    const unit = currentUnit();
    if (unit) unit.noted.refusal = error;
  };
  for (const name of refusalEvents) provider.on(name as 'grant.error', note);
};

const DETAIL_LENGTH = 200;

/** In the engine's words, which never hold a credential: of what was sent they repeat names and addresses at most. */
const detailOf = ({ error_detail: detail, error_description: description }: EngineError) => {
  const text = detail ?? description;
  return typeof text === 'string' ? text.slice(0, DETAIL_LENGTH) : undefined;
};

const reasonOf = ({ error }: EngineError) => (typeof error === 'string' ? error : undefined);

/** Polls of a device that nobody has answered yet are the flow itself. */
const WAITING: ReadonlySet<string | undefined> = new Set(['authorization_pending', 'slow_down']);

export interface ServedRequest {
  ctx: Context;
  unit: UnitOfWork;
  outcome: FlushOutcome;
  reuse: CodeReuse | undefined;
}

type Tell = (name: EventName, fields?: EventFields) => void;

const tellToken = (tell: Tell, { ctx, unit, outcome, reuse }: ServedRequest) => {
  const { rotation, noted } = unit;
  if (reuse) tell('token.code_reused', { detail: reuseDetails[reuse] });
  if (noted.familyEnded && rotation) tell('token.theft');
  if (ctx.status === 200 && rotation && (rotation.successor || outcome === 'rotated-elsewhere'))
    tell('token.repeated');
  const answer = (ctx.body ?? {}) as EngineError;
  const reason = reasonOf(answer);
  if (ctx.status < 400 || WAITING.has(reason)) return;
  const refusal = (noted.refusal ?? answer) as EngineError;
  const { grant_type: grantType } = ctx.oidc?.params ?? {};
  const known = ctx.oidc?.client?.grantTypeAllowed(String(grantType)) ? { grantType: String(grantType) } : {};
  const detail = outcome === 'committed' ? detailOf(refusal) : `lost a race: ${outcome}`;
  tell('token.refused', { ...known, reason, ...(detail && { detail }) });
};

const tellRefusal = (tell: Tell, event: EventName, refusal: EngineError) => {
  const detail = detailOf(refusal);
  tell(event, {
    reason: reasonOf(refusal) ?? 'server_error',
    ...(detail && { detail }),
  });
};

/** What tells that a request was refused, by the endpoint that it is for. */
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

/** The event of a refusal at a path, also of one that goes on with a request. */
export const refusalEventOf = (path: string): EventName | undefined =>
  refusedAt.find(([endpoint]) => path === endpoint || path.startsWith(`${endpoint}/`))?.[1];

/** Tells what one request to the engine came to, once it is written. */
export const tellOutcome = (events: EventSink, brand: string, request: ServedRequest): void => {
  const { ctx, unit } = request;
  const { refusal } = unit.noted;
  const event = refusalEventOf(ctx.path);
  // A person is led on with an authorization error; of what programs ask some is answered in spite of one.
  const isTold = refusal && (event === 'authorization.refused' || ctx.status >= 400);
  if (!event || (event !== 'token.refused' && !isTold)) return;
  const { client, entities } = ctx.oidc ?? {};
  const owner = entities?.RefreshToken ?? entities?.AuthorizationCode ?? entities?.DeviceCode;
  const accountId = owner?.accountId ?? entities?.Account?.accountId;
  const tell = (name: EventName, fields: EventFields = {}) =>
    events.emit(name, {
      brand,
      ...(client && { clientId: client.clientId }),
      ...(accountId && { accountId }),
      ...fields,
    });
  if (event === 'token.refused') tellToken(tell, request);
  else tellRefusal(tell, event, refusal as EngineError);
};
