import type { RegisteredClient, UpdateClient } from '@candela/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { clientsQuery } from '../portal/account/queries.ts';
import { notify } from '../portal/components/toast.tsx';
import { call } from '../shell/api/client.ts';
import { clientQuery, keyOf } from './queries.ts';

/** What the page shows of a client is old: its registration, its history and its place in the list. */
export const useClientRefresh = (id: string) => {
  const queries = useQueryClient();
  return async (): Promise<void> => {
    void queries.invalidateQueries({ queryKey: clientsQuery.queryKey });
    await queries.invalidateQueries({ queryKey: keyOf(id) });
  };
};

/** The values of the patched fields before the patch. */
const before = (client: RegisteredClient, patch: UpdateClient): UpdateClient =>
  Object.fromEntries(Object.keys(patch).map((field) => [field, client[field] ?? null]));

/**
 * Saves fields of a client, and offers to undo that.
 * @throws {ApiError}
 */
export const useClientUpdate = (client: RegisteredClient, focusAfterUndo: () => void) => {
  const { t } = useTranslation('developers');
  const queries = useQueryClient();
  const id = client.client_id;
  const refresh = useClientRefresh(id);
  const send = async (patch: UpdateClient): Promise<void> => {
    const saved = await call('PATCH /api/clients/:id', { params: { id }, body: patch });
    queries.setQueryData(clientQuery(id).queryKey, saved);
    void refresh();
  };
  return async (patch: UpdateClient): Promise<void> => {
    const undo = before(client, patch);
    await send(patch);
    notify(t('client.saved'), {
      label: t('settings.undo'),
      run: () => {
        focusAfterUndo();
        void send(undo).then(
          () => notify(t('app.done')),
          () => void refresh(),
        );
      },
    });
  };
};
