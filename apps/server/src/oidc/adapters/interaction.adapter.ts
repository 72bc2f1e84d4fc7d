import { sql } from 'kysely';
import type { AdapterContext, AdapterPayload, ModelAdapter } from '../adapter.ts';
import { hashId, insertWhere, json, text, time, toSeconds } from '../columns.ts';
import { currentUnit } from '../unit-of-work.ts';

/** The uid stands in the resume URL, and the session's id in a copy that nothing reads: neither is stored. */
const toStored = (uid: string, { jti: _jti, exp: _exp, session, ...payload }: AdapterPayload) => {
  const { cookie: _cookie, ...kept } = session ?? {};
  return {
    ...payload,
    ...(session && { session: kept }),
    ...(payload.returnTo && { returnTo: payload.returnTo.replace(uid, ':uid') }),
  };
};

export const createInteractionAdapter = ({ db, brand }: AdapterContext): ModelAdapter => {
  return {
    find: async (uid) => {
      const row = await db
        .selectFrom('interaction')
        .selectAll()
        .where('brand', '=', brand)
        .where('id_hash', '=', hashId(uid))
        .where('destroyed_at', 'is', null)
        .executeTakeFirst();
      if (!row) return undefined;
      currentUnit()?.reads.set(`Interaction:${uid}`, Promise.resolve(row));
      const payload = row.payload as AdapterPayload;
      return {
        ...payload,
        ...(payload.returnTo && { returnTo: payload.returnTo.replace(':uid', uid) }),
        jti: uid,
        exp: toSeconds(row.expires_at),
      };
    },

    upsert: async (uid, payload, expiresIn) => {
      const unit = currentUnit();
      const stored = json(toStored(uid, payload));
      const expiresAt = time(Math.floor(Date.now() / 1000) + expiresIn);
      const update = unit?.reads.has(`Interaction:${uid}`);
      unit?.writes.set(`Interaction:${uid}`, {
        kind: 'state',
        statement: (qc, guard) =>
          update
            ? qc
                .updateTable('interaction')
                .set({ payload: stored, expires_at: expiresAt })
                .where('brand', '=', brand)
                .where('id_hash', '=', hashId(uid))
                .where('destroyed_at', 'is', null)
            : insertWhere(
                qc,
                'interaction',
                {
                  brand: text(brand),
                  id_hash: text(hashId(uid)),
                  client_id: text(String(payload.params?.client_id ?? '')),
                  payload: stored,
                  expires_at: expiresAt,
                },
                guard,
              ),
      });
    },

    /** The row stays, emptied, so that a late visitor can be led back to the app. */
    destroy: async (uid) => {
      currentUnit()?.writes.set(`Interaction:${uid}`, {
        kind: 'state',
        statement: (qc) =>
          qc
            .updateTable('interaction')
            .set({ payload: json({}), destroyed_at: sql`now()` })
            .where('brand', '=', brand)
            .where('id_hash', '=', hashId(uid)),
      });
    },
  };
};
