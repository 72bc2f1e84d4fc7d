import type { Context } from 'koa';
import type { ClientService } from '../../../clients/client/client.service.ts';
import type { ClientRecords } from '../../../clients/client-health/client-records.ts';
import { databaseNow } from '../../../ground/db/clock.ts';
import { isOutage } from '../../../ground/db/outage.ts';
import { currentReference } from '../../../ground/event/request-reference.ts';
import type { Logger } from '../../../ground/logger.ts';
import type { EngineError } from '../engine-error.ts';
import type { UnitOfWork } from '../storage/unit.ts';
import { kindOf } from './error-kind.ts';
import { expectedFor } from './expected-parameters.ts';
import { toPlain } from './masked-text.ts';
import { reasonFor } from './refusal-reason.ts';
import { claimedClientId, sentIn } from './sent-parameters.ts';

/** Clients that one process looks up in a minute only because a refused request named them. */
const CLAIMED_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

/** The engine's answer to a client's first DPoP proof (RFC 9449 section 8): the client goes on. */
const EXPECTED_ERRORS: ReadonlySet<string> = new Set(['use_dpop_nonce']);

interface RefusedAnswer {
  ctx: Context;
  unit: UnitOfWork;
  /** The path of the endpoint. */
  endpoint: string;
  refusal: EngineError;
}

/** Keeps refused requests of known clients for their developers. It makes nobody wait, and never fails. */
export type RefusalRecorder = (answer: RefusedAnswer) => void;

export interface RefusalRecorderOptions {
  brand: string;
  clients: Pick<ClientService, 'findClient'>;
  records: Pick<ClientRecords, 'refuse'>;
  logger: Pick<Logger, 'warn'>;
}

const textsOf = ({ error_detail: detail, error_description: description }: EngineError): string[] =>
  [detail, description].filter((text) => typeof text === 'string');

export const createRefusalRecorder = ({
  brand,
  clients,
  records,
  logger,
}: RefusalRecorderOptions): RefusalRecorder => {
  let claimed = 0;
  let resetAt = 0;

  /** The id that a request claims. Anybody can claim any, so a bounded number is looked up. */
  const claimedIn = (ctx: Context): string | undefined => {
    const id = claimedClientId(ctx);
    if (id === undefined) return undefined;
    if (performance.now() >= resetAt) {
      claimed = 0;
      resetAt = performance.now() + MINUTE_MS;
    }
    claimed += 1;
    return claimed > CLAIMED_PER_MINUTE ? undefined : id;
  };

  const record = async ({ ctx, unit, endpoint, refusal }: RefusedAnswer) => {
    const error = typeof refusal.error === 'string' ? toPlain(refusal.error) : 'server_error';
    if (EXPECTED_ERRORS.has(error)) return;
    const clientId = ctx.oidc?.client?.clientId ?? claimedIn(ctx);
    const reference = currentReference();
    const client = clientId && (await clients.findClient(clientId, brand));
    if (!client || !reference) return;
    const { metadata } = client;
    const texts = textsOf(refusal);
    const { grant_type: asked } = ctx.oidc?.params ?? {};
    const grantType = typeof asked === 'string' ? asked : undefined;
    const { familyEnded: isTheft = false, refusedSecret } = unit.noted;
    const isEndedSecret = refusedSecret === 'ended';
    const kind = kindOf({ error, texts, grantType, isTheft, isEndedSecret });
    records.refuse(client.id, kind, () => {
      const at = databaseNow();
      const sent = sentIn(ctx, client);
      return {
        reference,
        at,
        endpoint,
        error,
        reason: reasonFor({ kind, error, texts, grantType, path: endpoint, sent, metadata }),
        sent,
        expected: expectedFor(kind, { path: endpoint, sent, metadata, now: at }),
      };
    });
  };

  // What the database does not tell now is lost: nobody waits for it.
  return (answer) =>
    void record(answer).catch((err) => {
      if (!isOutage(err)) logger.warn({ err }, 'a refused request was not recorded');
    });
};
