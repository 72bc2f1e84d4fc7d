import { sql } from 'kysely';
import { Provider } from 'oidc-provider';
import { emptiedPayload } from '../../oidc-model/interaction.repository.ts';
import { interactionColumns } from '../../oidc-model/interaction.table.ts';
import { hashToken } from '../../opaque-token.ts';
import { endIn, insertWhere, json, text, time, toJson, toSeconds } from '../storage/columns.ts';
import { compileOnce, type Values } from '../storage/statement.ts';
import { currentUnit, defineWrite, queueWrite } from '../storage/unit.ts';
import type { AdapterContext, AdapterPayload, ModelAdapter } from './model-adapter.ts';

/** The uid stands in the resume URL, and the session's id in a copy that nothing reads: neither is stored. */
const toStored = (uid: string, { jti: _jti, exp: _exp, session, ...payload }: AdapterPayload) => {
  const { cookie: _cookie, ...kept } = session ?? {};
  return {
    ...payload,
    ...(session && { session: kept }),
    ...(payload.returnTo && { returnTo: payload.returnTo.replace(uid, ':uid') }),
  };
};

interface InteractionKey extends Values {
  brand: string;
  idHash: string;
}

interface StoredInteraction extends InteractionKey {
  payload: string;
  expiresAt: number;
}

const insertInteraction = defineWrite<StoredInteraction & { clientId: string }>((db, values, guard) =>
  insertWhere(
    db,
    'interaction',
    {
      brand: text(values.brand),
      id_hash: text(values.idHash),
      client_id: text(values.clientId),
      payload: json(values.payload),
      expires_at: time(values.expiresAt),
    },
    guard,
  ),
);

const updateInteraction = defineWrite<StoredInteraction>((db, { brand, idHash, payload, expiresAt }) =>
  db
    .updateTable('interaction')
    .set({ payload: json(payload), expires_at: time(expiresAt) })
    .where('brand', '=', brand)
    .where('id_hash', '=', idHash)
    .where('destroyed_at', 'is', null),
);

/** The row stays, emptied, so that a late visitor can be led back to the app, or to the page for devices. */
const emptyInteraction = defineWrite<InteractionKey>((db, { brand, idHash }) =>
  db
    .updateTable('interaction')
    .set({
      payload: emptiedPayload,
      emptied: true,
      destroyed_at: sql`now()`,
    })
    .where('brand', '=', brand)
    .where('id_hash', '=', idHash),
);

const findInteraction = compileOnce((db, { brand, idHash }: { brand: string; idHash: string }) =>
  db
    .selectFrom('interaction')
    .select(interactionColumns)
    .where('brand', '=', brand)
    .where('id_hash', '=', idHash)
    .where('destroyed_at', 'is', null),
);

/** Of a request that goes on somebody has answered the step before; opened again unanswered, it is as good as new. */
const isLaterStep = () => Provider.ctx?.oidc.entities.Interaction?.result !== undefined;

export const createInteractionAdapter = ({ db, brand, anonymousLimits }: AdapterContext): ModelAdapter => {
  const keyOf = (uid: string) => ({ brand, idHash: hashToken(uid) });
  return {
    find: async (uid) => {
      const [row] = await findInteraction(db, keyOf(uid));
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
      if (!unit) throw new Error('an interaction is saved inside a unit of work');
      const values = {
        ...keyOf(uid),
        payload: toJson(toStored(uid, payload)),
        expiresAt: endIn(expiresIn),
      };
      const key = `Interaction:${uid}`;
      if (unit.reads.has(key)) return queueWrite(unit, key, 'state', updateInteraction, values);
      if (!isLaterStep()) await anonymousLimits.require('sign-in', unit.facts.address, values.payload.length);
      const clientId = String(payload.params?.client_id ?? '');
      queueWrite(unit, key, 'state', insertInteraction, { ...values, clientId });
    },

    destroy: async (uid) => {
      const unit = currentUnit();
      if (unit) queueWrite(unit, `Interaction:${uid}`, 'state', emptyInteraction, keyOf(uid));
    },
  };
};
