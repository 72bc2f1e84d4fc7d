import type { Activity, ActivityKind } from '@candela/contract';
import type { ClientService } from '../../clients/client/client.service.ts';
import { toClientSummary } from '../../clients/client/client-summary.ts';
import { readBrowserFacts } from '../../ground/browser/browser-facts.ts';
import type { ListedActivity } from '../../person/activity/activity.repository.ts';

/** What nobody but the person, the operator or the clock does; and refusals, which did nothing. */
const neverDisputed: ReadonlySet<ActivityKind> = new Set([
  'sign_in_refused',
  'registered',
  'disputed',
  'session_ended',
  'sessions_ended',
  'account_disabled',
  'account_enabled',
  'staff_acted',
  'staff_looked',
]);

/** The session that reads the list. */
export interface Reader {
  brand: string;
  uid: string;
}

const isOf = (row: ListedActivity, { brand, uid }: Reader): boolean =>
  row.brand === brand && row.session_uid === uid;

/** Whether the person can say that it was somebody else: not of the session that reads, and not twice. */
export const isDisputable = (row: ListedActivity, reader: Reader): boolean =>
  row.disputed_at === null && !isOf(row, reader) && !neverDisputed.has(row.kind);

const browserOf = ({ user_agent, client_hints }: ListedActivity) => {
  if (user_agent === '') return {};
  const { browser, os, platform } = readBrowserFacts(user_agent, client_hints);
  return { browser, os, platform };
};

/** A row as its person reads it. */
export const describeActivity = async (
  clients: Pick<ClientService, 'findClient'>,
  row: ListedActivity,
  reader: Reader,
): Promise<Activity> => {
  const { id, kind, created_at, brand, client_id, time_zone, count, detail, disputed_at } = row;
  const client = client_id === null ? undefined : await clients.findClient(client_id, brand ?? '');
  return {
    id,
    at: created_at.toISOString(),
    kind,
    ...(isOf(row, reader) && { current: true as const }),
    ...browserOf(row),
    ...(time_zone !== null && { timeZone: time_zone }),
    // A client that is no longer registered has its id for a name, as in the list of approvals.
    ...(client_id !== null && { client: { name: client ? toClientSummary(client).name : client_id } }),
    ...(count !== null && count > 1 && { count }),
    ...(detail && { detail }),
    disputable: isDisputable(row, reader),
    ...(disputed_at && { disputedAt: disputed_at.toISOString() }),
  };
};
