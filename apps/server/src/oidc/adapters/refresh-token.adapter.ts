import { sql } from 'kysely';
import { Provider } from 'oidc-provider';
import { accountFactsOf } from '../../account/account-facts.repository.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from '../adapter.ts';
import { noteAccount } from '../claims.ts';
import { hashId, insertWhere, text, toSeconds } from '../columns.ts';
import { sealFor } from '../successor.ts';
import { currentUnit, type UnitOfWork } from '../unit-of-work.ts';
import { noteGrant, toGrantPayload } from './grant.adapter.ts';
import { createRevokeByGrantId, queueSlide, tokenColumns, toTokenPayload } from './token.adapter.ts';

const GRACE_SECONDS = 60;
const OVERLAP_SECONDS = 60 * 24 * 3600;
const PUBLIC_BEARER_OVERLAP_SECONDS = 600;

interface SuccessorColumns {
  successor_sealed: string | null;
  successor_created_at: Date | null;
  successor_used_at: Date | null;
}

/**
 * A predecessor stays good until its successor is first used, within a bound; used after that it is
 * theft, but for the first minute, in which late duplicates of an honest client arrive.
 */
const withOverlap = (
  payload: AdapterPayload,
  row: SuccessorColumns,
  overlapSeconds: number,
): AdapterPayload | undefined => {
  if (!row.successor_created_at) return payload;
  if (row.successor_used_at) {
    const sinceUse = (Date.now() - row.successor_used_at.getTime()) / 1000;
    return sinceUse < GRACE_SECONDS ? undefined : { ...payload, consumed: toSeconds(row.successor_used_at) };
  }
  const bound = toSeconds(row.successor_created_at) + overlapSeconds;
  return { ...payload, exp: Math.min(payload.exp ?? bound, bound) };
};

/** The first use of a token ends its predecessor; the time of later ones does not matter. */
export const queueFirstUse = (unit: UnitOfWork, brand: string, id: string) =>
  unit.writes.set(`RefreshToken:${id}:use`, {
    kind: 'issue',
    statement: (db) =>
      db
        .updateTable('refresh_token')
        .set({ first_used_at: sql`now()` })
        .where('brand', '=', brand)
        .where('id_hash', '=', hashId(id))
        .where('predecessor_hash', 'is not', null)
        .where('first_used_at', 'is', null),
  });

export const createRefreshTokenAdapter = ({ db, brand, clients }: AdapterContext): ModelAdapter => {
  const overlapFor = async (payload: AdapterPayload): Promise<number> => {
    const constrained = payload.jkt !== undefined || payload['x5t#S256'] !== undefined;
    if (constrained) return OVERLAP_SECONDS;
    const client = payload.clientId ? await clients.findClient(payload.clientId, brand) : undefined;
    return client?.metadata.token_endpoint_auth_method === 'none'
      ? PUBLIC_BEARER_OVERLAP_SECONDS
      : OVERLAP_SECONDS;
  };

  return {
    find: async (id) => {
      const unit = currentUnit();
      const row = await db
        .selectFrom('refresh_token as token')
        .innerJoin('authorization_grant as owner', (join) =>
          join.onRef('owner.brand', '=', 'token.brand').onRef('owner.id', '=', 'token.grant_id'),
        )
        .leftJoin('refresh_token as successor', (join) =>
          join
            .onRef('successor.brand', '=', 'token.brand')
            .onRef('successor.predecessor_hash', '=', 'token.id_hash'),
        )
        .select([
          'token.payload',
          'token.expires_at',
          'token.consumed_at',
          'token.grant_id',
          'token.predecessor_hash',
          'owner.payload as grant_payload',
          'owner.expires_at as grant_expires_at',
          'successor.sealed_value as successor_sealed',
          'successor.created_at as successor_created_at',
          'successor.first_used_at as successor_used_at',
          accountFactsOf('token.account_id').as('account'),
        ])
        .where('token.brand', '=', brand)
        .where('token.id_hash', '=', hashId(id))
        .executeTakeFirst();
      if (!row) return undefined;
      noteGrant(
        unit,
        row.grant_id,
        toGrantPayload(row.grant_id, { payload: row.grant_payload, expires_at: row.grant_expires_at }),
      );
      noteAccount(unit, row.account);
      if (unit) {
        unit.rotation = {
          predecessor: id,
          ...(row.successor_sealed && { successor: { sealedValue: row.successor_sealed } }),
        };
      }
      const payload = toTokenPayload(id, row);
      // RFC 7009 section 2.1: whichever token of the link its app still holds, revoking it ends the link.
      if (Provider.ctx?.oidc.route === 'revocation') return payload;
      return withOverlap(payload, row, await overlapFor(payload));
    },

    upsert: async (id, payload, expiresIn) => {
      const unit = currentUnit();
      if (!unit || !payload.grantId)
        throw new Error('a refresh token is issued inside a unit of work and under a grant');
      const predecessor = Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti;
      if (predecessor && unit.rotation) unit.rotation.issued = id;
      const columns = tokenColumns(brand, id, payload, expiresIn);
      unit.writes.set(`RefreshToken:${id}`, {
        kind: 'rotate',
        statement: (qc, guard) =>
          insertWhere(
            qc,
            'refresh_token',
            {
              ...columns,
              predecessor_hash: text(predecessor && hashId(predecessor)),
              sealed_value: text(predecessor && sealFor(predecessor, id)),
            },
            guard,
          )
            // Of parallel rotations one makes the successor; the others answer with it.
            .onConflict((conflict) =>
              conflict
                .columns(['brand', 'predecessor_hash'])
                .where('predecessor_hash', 'is not', null)
                .doNothing(),
            )
            .returning('id_hash'),
      });
      queueSlide(
        unit,
        brand,
        payload.grantId,
        payload.exp ?? Math.floor(Date.now() / 1000) + expiresIn,
        true,
      );
    },

    /** Nothing: what spends a refresh token is the first use of its successor. */
    consume: async () => undefined,

    destroy: async (id) => {
      currentUnit()?.writes.set(`RefreshToken:${id}`, {
        kind: 'state',
        statement: (qc) =>
          qc.deleteFrom('refresh_token').where('brand', '=', brand).where('id_hash', '=', hashId(id)),
      });
    },

    revokeByGrantId: createRevokeByGrantId(brand, { model: 'RefreshToken', table: 'refresh_token' }),
  };
};
