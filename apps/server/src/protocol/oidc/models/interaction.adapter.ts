import { sql } from 'kysely';
import { compileOnce, type Param } from '../../../ground/db/statement.ts';
import { hashToken } from '../../../ground/opaque-token.ts';
import { emptiedPayload } from '../../../link/oidc-model/interaction.repository.ts';
import { interactionColumns } from '../../../link/oidc-model/interaction.table.ts';
import { endIn, insertWhere, json, text, time, toJson, toSeconds } from '../storage/columns.ts';
import { row } from '../storage/row.ts';
import { defineWrite } from '../storage/write.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from './model-adapter.ts';

/** Leaves out two secrets: the uid, which the resume URL repeats, and a copy of the session's id, which nothing reads. */
const toStored = (uid: string, { jti: _jti, exp: _exp, session, ...payload }: AdapterPayload) => {
  const { cookie: _cookie, ...kept } = session ?? {};
  return {
    ...payload,
    ...(session && { session: kept }),
    ...(payload.returnTo && { returnTo: payload.returnTo.replace(uid, ':uid') }),
  };
};

interface InteractionKey {
  brand: string;
  idHash: string;
}

interface StoredInteraction extends InteractionKey {
  payload: string;
  expiresAt: number;
}

const insertInteraction = defineWrite<StoredInteraction & { clientId: string }>((db, param, guard) =>
  insertWhere(
    db,
    'interaction',
    {
      brand: text(param('brand')),
      id_hash: text(param('idHash')),
      client_id: text(param('clientId')),
      payload: json(param('payload')),
      expires_at: time(param('expiresAt')),
    },
    guard,
  ),
);

const updateInteraction = defineWrite<StoredInteraction>((db, param) =>
  db
    .updateTable('interaction')
    .set({ payload: json(param('payload')), expires_at: time(param('expiresAt')) })
    .where('brand', '=', param('brand'))
    .where('id_hash', '=', param('idHash'))
    .where('destroyed_at', 'is', null),
);

/** Empties the row and keeps it: it leads a late visitor back to the app, or to the page for devices. */
const emptyInteraction = defineWrite<InteractionKey>((db, param) =>
  db
    .updateTable('interaction')
    .set({
      payload: emptiedPayload,
      emptied: true,
      destroyed_at: sql`now()`,
    })
    .where('brand', '=', param('brand'))
    .where('id_hash', '=', param('idHash')),
);

const findInteraction = compileOnce((db, param: Param<InteractionKey>) =>
  db
    .selectFrom('interaction')
    .select(interactionColumns)
    .where('brand', '=', param('brand'))
    .where('id_hash', '=', param('idHash'))
    .where('destroyed_at', 'is', null),
);

export const createInteractionAdapter = ({ db, brand, anonymousLimits }: AdapterContext): ModelAdapter => {
  const keyOf = (uid: string) => ({ brand, idHash: hashToken(uid) });
  return {
    find: async (uid, { unit }) => {
      const [found] = await findInteraction(db, keyOf(uid));
      if (!found) return undefined;
      unit.memo.interaction.set(uid, found);
      const payload: AdapterPayload = found.payload;
      return {
        ...payload,
        ...(payload.returnTo && { returnTo: payload.returnTo.replace(':uid', uid) }),
        jti: uid,
        exp: toSeconds(found.expires_at),
      };
    },

    upsert: async (uid, payload, expiresIn, { unit, request }) => {
      const values = {
        ...keyOf(uid),
        payload: toJson(toStored(uid, payload)),
        expiresAt: endIn(expiresIn),
      };
      if (unit.memo.interaction.has(uid)) return unit.keep(row.interaction(uid), updateInteraction, values);
      // A request that goes on after an answer has been counted; one that is opened again unanswered counts again.
      if (!request.isAnswered)
        await anonymousLimits.require('sign-in', unit.facts.address, values.payload.length);
      const clientId = String(payload.params?.client_id ?? '');
      unit.keep(row.interaction(uid), insertInteraction, { ...values, clientId });
    },

    destroy: async (uid, { unit }) => unit.keep(row.interaction(uid), emptyInteraction, keyOf(uid)),
  };
};
