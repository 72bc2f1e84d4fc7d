import { sql } from 'kysely';
import { isClockRight } from '../../../ground/db/clock.ts';
import { compileOnce, type Param } from '../../../ground/db/statement.ts';
import { hashToken } from '../../../ground/opaque-token.ts';
import { absenceOf } from '../../../link/moved-link/moving.ts';
import { isStandIn } from '../../../person/stand-in/stand-in.ts';
import { policyOf } from '../client/client-policy.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from '../models/model-adapter.ts';
import {
  createTokenWrites,
  noteOwner,
  selectToken,
  type TokenLookup,
  type TokenValues,
  tokenColumns,
  tokenValues,
  toTokenPayload,
  withinGrant,
} from '../models/token.adapter.ts';
import type { EngineRequest } from '../seam/engine-request.ts';
import { createBatch } from '../storage/batch.ts';
import { endIn, insertWhere, text, time, toSeconds } from '../storage/columns.ts';
import { queueSlide } from '../storage/grant-slide.ts';
import { row } from '../storage/row.ts';
import type { UnitOfWork } from '../storage/unit.ts';
import { defineWrite } from '../storage/write.ts';
import { approvedIn } from '../token/registered-scope.ts';
import { hashKeptByGoogle } from './google-hash.ts';
import { refreshPolicyOf } from './policy.ts';
import { notePresented, presentedIn } from './presented.ts';
import { sealFor } from './successor.ts';
import { judgeRefresh, type PresentedToken, type RefreshJudgement } from './window.ts';

/** Ages are in whole seconds, by the database's clock, which wrote the times. */
interface SuccessorColumns {
  successor_sealed: string | null;
  successor_ends_at: Date | null;
  successor_age: number | null;
  /** Since its first use; null where there was none. */
  successor_use_age: number | null;
}

const toPresented = (payload: AdapterPayload, row: SuccessorColumns): PresentedToken => ({
  endsAt: payload.exp ?? Infinity,
  successor:
    row.successor_age === null
      ? undefined
      : { age: row.successor_age, useAge: row.successor_use_age ?? undefined },
});

/** A family that was renewed began then: its tokens, and those that the engine makes of them, say so. */
const toFamilyPayload = (payload: AdapterPayload, renewedAt: Date | null): AdapterPayload =>
  renewedAt === null || payload.iiat === undefined
    ? payload
    : { ...payload, iiat: Math.max(payload.iiat, toSeconds(renewedAt)) };

const successorOf = ({ successor_sealed: sealedValue, successor_ends_at: endsAt }: SuccessorColumns) =>
  sealedValue !== null && endsAt !== null
    ? { successor: { sealedValue, endsAt: toSeconds(endsAt) } }
    : undefined;

/**
 * The payload by which the engine carries the judgement out, once the client has proven to be the token's: it refuses
 * a token that is not found or has ended, and revokes the grant of a token that is consumed.
 */
const toJudged = (
  payload: AdapterPayload,
  { verdict, goodUntil }: RefreshJudgement,
): AdapterPayload | undefined =>
  verdict === 'late'
    ? undefined
    : { ...payload, exp: goodUntil, ...(verdict === 'theft' && { consumed: endIn(0) }) };

const markFirstUse = defineWrite<{ brand: string; idHash: string }>((db, param, guard) =>
  db
    .updateTable('refresh_token')
    .set({ first_used_at: sql`now()` })
    .where('brand', '=', param('brand'))
    .where('id_hash', '=', param('idHash'))
    .where(guard)
    .where('predecessor_hash', 'is not', null)
    .where('first_used_at', 'is', null),
);

/** Queues the first use of a token, which ends its predecessor. A later use changes nothing. */
export const queueFirstUse = (unit: UnitOfWork, brand: string, id: string): void =>
  unit.issue(row.token('RefreshToken', id, 'use'), markFirstUse, { brand, idHash: hashToken(id) });

const keep = defineWrite<{ brand: string; idHash: string; until: number }>((db, param, guard) =>
  db
    .updateTable('refresh_token')
    .set({
      expires_at: sql`greatest(expires_at, ${time(param('until'))})`,
      first_used_at: sql`case when predecessor_hash is not null then coalesce(first_used_at, now()) end`,
    })
    .where('brand', '=', param('brand'))
    .where('id_hash', '=', param('idHash'))
    .where(guard),
);

const keepSuccessor = defineWrite<{ brand: string; idHash: string; until: number }>((db, param, guard) =>
  db
    .updateTable('refresh_token')
    .set({ expires_at: sql`greatest(expires_at, ${time(param('until'))})` })
    .where('brand', '=', param('brand'))
    .where('predecessor_hash', '=', param('idHash'))
    .where('first_used_at', 'is', null)
    .where(guard),
);

/** Queues that the successor of a token is good for as long as the token. */
export const queueKeptSuccessor = (
  unit: UnitOfWork,
  { brand, id, until }: { brand: string; id: string; until: number },
): void =>
  unit.issue(row.token('RefreshToken', id, 'successor'), keepSuccessor, {
    brand,
    idHash: hashToken(id),
    until,
  });

/** Queues the use of a token that lasts: it is good until `until` at least, in seconds since the epoch. */
export const queueKeptUse = (
  unit: UnitOfWork,
  { brand, id, until }: { brand: string; id: string; until: number },
): void => unit.issue(row.token('RefreshToken', id, 'use'), keep, { brand, idHash: hashToken(id), until });

interface Rotation extends TokenValues {
  predecessorHash: string | null;
  sealedValue: string | null;
  endsPredecessor: boolean;
}

const insertSuccessor = defineWrite<Rotation>((db, param, guard) =>
  insertWhere(
    db,
    'refresh_token',
    {
      ...tokenColumns(param),
      predecessor_hash: text(param('predecessorHash')),
      sealed_value: text(param('sealedValue')),
      first_used_at: sql`case when cast(${param('endsPredecessor')} as boolean) then now() end`,
    },
    guard,
  )
    // One of several parallel rotations makes the successor; the others answer it.
    .onConflict((conflict) =>
      conflict.columns(['brand', 'predecessor_hash']).where('predecessor_hash', 'is not', null).doNothing(),
    )
    .returning('id_hash'),
);

const ageOf = (column: string) =>
  sql<number | null>`cast(floor(extract(epoch from now() - ${sql.ref(column)})) as double precision)`;

const findTokens = compileOnce((db, param: Param<TokenLookup>) =>
  selectToken(db, 'refresh_token', param)
    .leftJoin('refresh_token as successor', (join) =>
      join
        .onRef('successor.brand', '=', 'token.brand')
        .onRef('successor.predecessor_hash', '=', 'token.id_hash'),
    )
    .select([
      'owner.renewed_at',
      'successor.sealed_value as successor_sealed',
      'successor.expires_at as successor_ends_at',
      ageOf('successor.created_at').as('successor_age'),
      ageOf('successor.first_used_at').as('successor_use_age'),
    ]),
);

/** Where 503 is right for a token that is absent. A revocation that is answered 200 has ended it (RFC 7009 section 2.2). */
const postponingRoutes: ReadonlySet<string | undefined> = new Set(['token', 'revocation']);

/** The client that asks, where it links homes. The stand-in of a check has its links for as long as it plays. */
const homeClientOf = ({ client }: EngineRequest): string | undefined =>
  client && policyOf(client).linksHomes && !isStandIn(client.clientId) ? client.clientId : undefined;

/** Where the clocks differ, the one that says that a token has ended may be the wrong one: nothing ends by it. */
const isUnsure = ({ verdict }: RefreshJudgement): boolean =>
  (verdict === 'over' || verdict === 'theft') && !isClockRight();

export const createRefreshTokenAdapter = ({ db, brand, servedBrands }: AdapterContext): ModelAdapter => {
  const load = createBatch(
    (idHashes) => findTokens(db, { brand, idHashes }),
    ({ id_hash }) => id_hash,
  );

  return {
    find: async (id, { unit, request }) => {
      const idHash = hashToken(id);
      const found = await load(idHash);
      if (!found) {
        if (!postponingRoutes.has(request.route)) return undefined;
        const homeClientId = homeClientOf(request);
        const absence = await absenceOf(db, { brand, idHash, homeClientId, servedBrands });
        if (absence) unit.noted.postponed = absence;
        return undefined;
      }
      noteOwner(unit, found);
      const payload = toFamilyPayload(toTokenPayload(id, found), found.renewed_at);
      // The client that the token was issued to need not be the one that asks.
      const client = payload.clientId ? await request.findClient(payload.clientId) : undefined;
      const policy = refreshPolicyOf(client, payload);
      const judgement = judgeRefresh(toPresented(payload, found), policy, endIn(0));
      if (request.route === 'token' && isUnsure(judgement)) {
        unit.noted.postponed = 'clock';
        return undefined;
      }
      notePresented(unit, {
        predecessor: id,
        mode: policy.mode,
        overlapSeconds: policy.overlapSeconds,
        verdict: judgement.verdict,
        lasts:
          judgement.verdict === 'kept' ||
          (judgement.verdict === 'repeated' && policy.overlapSeconds === Infinity),
        term: policy.term,
        ...successorOf(found),
      });
      // RFC 7009 section 2.1: an app that revokes any token of its link ends the link.
      if (request.route === 'revocation') return payload;
      // A refresh may repeat what the link had before, and gets what it has: RFC 6749 section 6 would refuse it otherwise.
      const shown = request.route === 'token' ? payload : withinGrant(payload, found.grant_payload);
      return toJudged(shown, judgement);
    },

    upsert: async (id, payload, expiresIn, { unit, request }) => {
      if (!payload.grantId) throw new Error('a refresh token is issued under a grant');
      const { rotatedFrom: predecessor } = request;
      unit.rotate(row.token('RefreshToken', id), insertSuccessor, {
        ...tokenValues(brand, id, { ...payload, ...approvedIn(unit) }, expiresIn),
        predecessorHash: predecessor ? hashToken(predecessor) : null,
        sealedValue: predecessor ? sealFor(predecessor, id) : null,
        endsPredecessor: predecessor !== undefined && presentedIn(unit)?.mode === 'rotate',
      });
      const until = payload.exp ?? endIn(expiresIn);
      const client = payload.clientId ? await request.findClient(payload.clientId) : undefined;
      const { term } = refreshPolicyOf(client, payload);
      const begins = predecessor === undefined;
      const googleTokenHash = begins ? hashKeptByGoogle(client, id) : undefined;
      const { grantId } = payload;
      queueSlide(unit, { brand, grantId, until, linked: true, begins, term, googleTokenHash });
    },

    /** Nothing: what spends a refresh token is the first use of its successor. */
    consume: async () => undefined,

    ...createTokenWrites(brand, { model: 'RefreshToken', table: 'refresh_token' }),
  };
};
