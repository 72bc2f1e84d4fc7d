import { sql } from 'kysely';
import { Provider } from 'oidc-provider';
import { hashToken } from '../../opaque-token.ts';
import type { EngineClient } from '../client/client-policy.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from '../storage/adapter.ts';
import { createBatch } from '../storage/batch.ts';
import { endIn, insertWhere, text, time } from '../storage/columns.ts';
import {
  createTokenWrites,
  noteOwner,
  queueSlide,
  selectToken,
  tokenColumns,
  tokenValues,
  toTokenPayload,
} from '../storage/models/token.adapter.ts';
import { compileOnce, type Values } from '../storage/statement.ts';
import { currentUnit, defineWrite, queueWrite, type UnitOfWork } from '../storage/unit.ts';
import { refreshPolicyOf } from './policy.ts';
import { sealFor } from './successor.ts';
import { judgeRefresh, type PresentedToken, type RefreshJudgement } from './window.ts';

/** Ages are in whole seconds, by the clock that wrote the times: that of a process may be another. */
interface SuccessorColumns {
  successor_sealed: string | null;
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

const markFirstUse = defineWrite<{ brand: string; idHash: string }>((db, { brand, idHash }) =>
  db
    .updateTable('refresh_token')
    .set({ first_used_at: sql`now()` })
    .where('brand', '=', brand)
    .where('id_hash', '=', idHash)
    .where('predecessor_hash', 'is not', null)
    .where('first_used_at', 'is', null),
);

/** The first use of a token ends its predecessor; the time of later ones does not matter. */
export const queueFirstUse = (unit: UnitOfWork, brand: string, id: string): void =>
  queueWrite(unit, `RefreshToken:${id}:use`, 'issue', markFirstUse, { brand, idHash: hashToken(id) });

const keep = defineWrite<{ brand: string; idHash: string; until: number }>((db, { brand, idHash, until }) =>
  db
    .updateTable('refresh_token')
    .set({
      expires_at: sql`greatest(expires_at, ${time(until)})`,
      first_used_at: sql`case when predecessor_hash is not null then coalesce(first_used_at, now()) end`,
    })
    .where('brand', '=', brand)
    .where('id_hash', '=', idHash),
);

/** The use of a token that has no successor and gets none: it lasts until `until` at least, in seconds since the epoch. */
export const queueKeptUse = (
  unit: UnitOfWork,
  { brand, id, until }: { brand: string; id: string; until: number },
): void => queueWrite(unit, `RefreshToken:${id}:use`, 'issue', keep, { brand, idHash: hashToken(id), until });

interface Rotation extends ReturnType<typeof tokenValues> {
  predecessorHash: string | null;
  sealedValue: string | null;
  endsPredecessor: boolean;
}

const insertSuccessor = defineWrite<Rotation & Values>((db, values, guard) =>
  insertWhere(
    db,
    'refresh_token',
    {
      ...tokenColumns(values),
      predecessor_hash: text(values.predecessorHash),
      sealed_value: text(values.sealedValue),
      first_used_at: sql`case when cast(${values.endsPredecessor} as boolean) then now() end`,
    },
    guard,
  )
    // Of parallel rotations one makes the successor; the others answer with it.
    .onConflict((conflict) =>
      conflict.columns(['brand', 'predecessor_hash']).where('predecessor_hash', 'is not', null).doNothing(),
    )
    .returning('id_hash'),
);

const ageOf = (column: string) =>
  sql<number | null>`cast(floor(extract(epoch from now() - ${sql.ref(column)})) as double precision)`;

const findTokens = compileOnce((db, { brand, idHashes }: { brand: string; idHashes: readonly string[] }) =>
  selectToken(db, 'refresh_token', brand, idHashes)
    .leftJoin('refresh_token as successor', (join) =>
      join
        .onRef('successor.brand', '=', 'token.brand')
        .onRef('successor.predecessor_hash', '=', 'token.id_hash'),
    )
    .select([
      'successor.sealed_value as successor_sealed',
      ageOf('successor.created_at').as('successor_age'),
      ageOf('successor.first_used_at').as('successor_use_age'),
    ]),
);

/** The client that a token was issued to, who need not be the one that asks. */
const findClientOf = async ({ clientId }: AdapterPayload): Promise<EngineClient | undefined> => {
  const oidc = Provider.ctx?.oidc;
  if (!oidc || !clientId) return undefined;
  return oidc.client?.clientId === clientId ? oidc.client : oidc.provider.Client.find(clientId);
};

export const createRefreshTokenAdapter = ({ db, brand }: AdapterContext): ModelAdapter => {
  const load = createBatch(
    (idHashes) => findTokens(db, { brand, idHashes }),
    (row) => row.id_hash,
  );

  return {
    find: async (id) => {
      const unit = currentUnit();
      const row = await load(hashToken(id));
      if (!row) return undefined;
      noteOwner(unit, row);
      const payload = toTokenPayload(id, row);
      const policy = refreshPolicyOf(await findClientOf(payload), payload);
      if (unit) {
        unit.rotation = {
          predecessor: id,
          mode: policy.mode,
          ...(row.successor_sealed && { successor: { sealedValue: row.successor_sealed } }),
        };
      }
      // RFC 7009 section 2.1: whichever token of the link its app still holds, revoking it ends the link.
      if (Provider.ctx?.oidc.route === 'revocation') return payload;
      return toJudged(payload, judgeRefresh(toPresented(payload, row), policy, endIn(0)));
    },

    upsert: async (id, payload, expiresIn) => {
      const unit = currentUnit();
      if (!unit || !payload.grantId)
        throw new Error('a refresh token is issued inside a unit of work and under a grant');
      const predecessor = Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti;
      if (predecessor && unit.rotation) unit.rotation.issued = id;
      queueWrite(unit, `RefreshToken:${id}`, 'rotate', insertSuccessor, {
        ...tokenValues(brand, id, payload, expiresIn),
        predecessorHash: predecessor ? hashToken(predecessor) : null,
        sealedValue: predecessor ? sealFor(predecessor, id) : null,
        endsPredecessor: predecessor !== undefined && unit.rotation?.mode === 'rotate',
      });
      const until = payload.exp ?? endIn(expiresIn);
      queueSlide(unit, { brand, grantId: payload.grantId, until, linked: true });
    },

    /** Nothing: what spends a refresh token is the first use of its successor. */
    consume: async () => undefined,

    ...createTokenWrites(brand, { model: 'RefreshToken', table: 'refresh_token' }),
  };
};
