import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

/** Everything the reference server stores: JSON by model and id, as a database would hand out copies. */
export interface MemoryStore {
  adapter: AdapterFactory;
  put(model: string, id: string, payload: AdapterPayload): void;
  /** The first stored payload of a model. */
  firstOf(model: string): AdapterPayload;
}

export const createMemoryStore = (): MemoryStore => {
  const rows = new Map<string, string>();
  const firsts = new Map<string, string>();
  const keysByGrant = new Map<string, Set<string>>();
  const sessionsByUid = new Map<string, string>();

  const put = (model: string, id: string, payload: AdapterPayload) => {
    const key = `${model}:${id}`;
    const text = JSON.stringify(payload);
    rows.set(key, text);
    if (!firsts.has(model)) firsts.set(model, text);
    if (model === 'Session' && payload.uid) sessionsByUid.set(payload.uid, id);
    if (!payload.grantId) return;
    const keys = keysByGrant.get(payload.grantId);
    if (keys) keys.add(key);
    else keysByGrant.set(payload.grantId, new Set([key]));
  };
  const get = (model: string, id: string | undefined): AdapterPayload | undefined => {
    const text = rows.get(`${model}:${id}`);
    return text === undefined ? undefined : JSON.parse(text);
  };

  return {
    put,
    firstOf: (model) => JSON.parse(firsts.get(model) ?? '{}'),
    adapter: (model): Adapter => ({
      find: async (id) => get(model, id),
      findByUid: async (uid) => get(model, sessionsByUid.get(uid)),
      findByUserCode: async () => undefined,
      upsert: async (id, payload) => put(model, id, payload),
      consume: async (id) => {
        const payload = get(model, id);
        if (payload) put(model, id, { ...payload, consumed: Math.floor(Date.now() / 1000) });
      },
      destroy: async (id) => {
        rows.delete(`${model}:${id}`);
      },
      revokeByGrantId: async (grantId) => {
        for (const key of keysByGrant.get(grantId) ?? []) rows.delete(key);
        keysByGrant.delete(grantId);
      },
    }),
  };
};
