import type { ClientListItem } from '@candela/contract';
import { ApiError, call } from '../shell/api/client.ts';

/** So many clients are asked at once. */
const AT_ONCE = 5;

const hasError = async (id: string, reference: string): Promise<boolean> => {
  try {
    const { items } = await call('GET /api/clients/:id/errors', { params: { id }, query: { reference } });
    return items.length > 0;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return false;
    throw error;
  }
};

/**
 * The client among `clients` that has the error of a reference; undefined when none has.
 * @throws {ApiError}
 */
export const findReference = async (
  clients: readonly ClientListItem[],
  reference: string,
): Promise<string | undefined> => {
  const failing = clients.filter(({ alert }) => alert.lastErrorAt).map(({ client_id: id }) => id);
  for (let first = 0; first < failing.length; first += AT_ONCE) {
    const asked = failing.slice(first, first + AT_ONCE);
    const answers = await Promise.all(asked.map((id) => hasError(id, reference)));
    const found = asked.find((_, index) => answers[index]);
    if (found !== undefined) return found;
  }
  return undefined;
};
