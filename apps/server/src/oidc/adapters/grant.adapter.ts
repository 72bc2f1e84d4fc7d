import type { AuthorizationGrantRow } from '../../grant/grant.table.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from '../adapter.ts';
import { insertWhere, json, text, time, toSeconds } from '../columns.ts';
import { currentUnit, type UnitOfWork } from '../unit-of-work.ts';

/** The columns of a grant that a token's statement brings along, so that the engine's own look-up costs nothing. */
const grantColumns = ['payload', 'expires_at'] as const satisfies readonly (keyof AuthorizationGrantRow)[];

/** The grant's end is its column: it slides with the tokens without a rewrite of the payload. */
export const toGrantPayload = (
  id: string,
  row: { payload: Record<string, unknown>; expires_at: Date },
): AdapterPayload => ({ ...row.payload, jti: id, exp: toSeconds(row.expires_at) });

/** Notes what was read of a grant, for the engine's later `find`. */
export const noteGrant = (unit: UnitOfWork | undefined, id: string, payload: AdapterPayload | undefined) =>
  unit?.reads.set(`Grant:${id}`, Promise.resolve(payload));

const queueGrantEnd = (unit: UnitOfWork | undefined, brand: string, grantId: string) =>
  unit?.writes.set(`Grant:${grantId}`, {
    kind: 'state',
    statement: (db) =>
      db.deleteFrom('authorization_grant').where('brand', '=', brand).where('id', '=', grantId),
  });

export const createGrantAdapter = ({ db, brand }: AdapterContext): ModelAdapter => ({
  find: async (id) => {
    const unit = currentUnit();
    const read = (unit?.reads.get(`Grant:${id}`) ??
      db
        .selectFrom('authorization_grant')
        .select(grantColumns)
        .where('brand', '=', brand)
        .where('id', '=', id)
        .executeTakeFirst()
        .then((row) => row && toGrantPayload(id, row))) as Promise<AdapterPayload | undefined>;
    unit?.reads.set(`Grant:${id}`, read);
    return read;
  },

  upsert: async (id, payload, expiresIn) => {
    const unit = currentUnit();
    if (!unit) throw new Error('a grant is saved inside a unit of work');
    const { jti: _jti, exp: _exp, ...stored } = payload;
    const scope = (payload.openid as { scope?: string } | undefined)?.scope ?? '';
    const existing = await unit.reads.get(`Grant:${id}`);
    noteGrant(unit, id, payload);
    unit.writes.set(`Grant:${id}`, {
      kind: 'state',
      statement: (qc, guard) =>
        // Never an insert of one that existed: a withdrawn grant stays withdrawn.
        existing
          ? qc
              .updateTable('authorization_grant')
              .set({ payload: json(stored), scope })
              .where('brand', '=', brand)
              .where('id', '=', id)
          : insertWhere(
              qc,
              'authorization_grant',
              {
                brand: text(brand),
                id: text(id),
                account_id: text(payload.accountId),
                client_id: text(payload.clientId),
                session_uid: text(unit.sessionUid),
                scope: text(scope),
                payload: json(stored),
                user_agent: text(unit.facts.userAgent),
                address: text(unit.facts.address),
                locale: text(unit.facts.locale),
                expires_at: time(Math.floor(Date.now() / 1000) + expiresIn),
              },
              guard,
            ),
    });
  },

  destroy: async (id) => {
    queueGrantEnd(currentUnit(), brand, id);
  },
});
