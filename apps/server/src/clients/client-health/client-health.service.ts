import type {
  ClientAlert,
  ClientDay,
  ClientError,
  ClientErrorList,
  ClientHealth,
  FoundClientError,
  LinkFigures,
} from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import { readCursor, toPage } from '../../ground/paging/page-cursor.ts';
import type { Holder } from '../client/holder.ts';
import type { ClientErrorRow } from './client-error.table.ts';
import {
  type AlertColumns,
  countErrors,
  type DayColumns,
  type ErrorChoice,
  findAlerts,
  findErrorOf,
  listDays,
  listErrors,
} from './client-health.repository.ts';

const PAGE_SIZE = 20;
const DAYS = 30;

/** As the query of the endpoint. */
interface ErrorQuery extends Pick<ErrorChoice, 'reference' | 'kind'> {
  after?: string | undefined;
}

/** What developers see of how their clients fare. Whoever calls it has made sure that they may. */
export interface ClientHealthService {
  /**
   * A page of refused requests, the newest first.
   * @throws AppError invalid_request for an `after` that no page named.
   */
  listErrors(clientId: string, query?: ErrorQuery): Promise<ClientErrorList>;

  /**
   * The refused request of a reference, of whichever client of the holder.
   * @throws AppError not_found, also for one of another’s client.
   */
  findError(holder: Holder, reference: string): Promise<FoundClientError>;

  /** @param client its id, and how many links it has. */
  healthOf(client: { client_id: string; links: number }): Promise<ClientHealth>;

  /** What is wrong with each client at a glance, by its id: one statement for all of them. */
  alertsOf(clientIds: readonly string[]): Promise<Map<string, ClientAlert>>;
}

const toError = (row: ClientErrorRow): ClientError => ({
  reference: row.reference,
  at: row.created_at.toISOString(),
  endpoint: row.endpoint,
  kind: row.kind,
  error: row.error,
  reason: row.reason,
  sent: row.sent,
  expected: row.expected,
});

const toAlert = (row: AlertColumns): ClientAlert => ({
  errorsToday: row.errors_today,
  ...(row.last_token_at && { lastTokenAt: row.last_token_at.toISOString() }),
  ...(row.last_error_at && { lastErrorAt: row.last_error_at.toISOString() }),
  ...(row.secret_ends_at && { secretEndsAt: row.secret_ends_at.toISOString() }),
});

const toDay = (day: string, counts: readonly DayColumns[]): ClientDay => {
  const countOf = (kind: string) => counts.find((counted) => counted.kind === kind)?.count ?? 0;
  return {
    day,
    tokens: countOf('token'),
    refreshes: countOf('refresh'),
    errors: Object.fromEntries(counts.flatMap(({ refused, count }) => (refused ? [[refused, count]] : []))),
  };
};

export interface ClientHealthOptions {
  db: Kysely<Database>;
  /** How the links of a client fare. */
  countLinks(clientId: string): Promise<LinkFigures>;
}

export const createClientHealthService = ({ db, countLinks }: ClientHealthOptions): ClientHealthService => {
  const alertsOf = async (ids: readonly string[]) =>
    new Map(ids.length === 0 ? [] : (await findAlerts(db, ids)).map((row) => [row.client_id, toAlert(row)]));

  return {
    alertsOf,

    listErrors: async (clientId, { after, reference, kind } = {}) => {
      const choice = { limit: PAGE_SIZE + 1, after: readCursor(after), reference, kind };
      const [rows, kinds] = await Promise.all([listErrors(db, clientId, choice), countErrors(db, clientId)]);
      const { page, next } = toPage(rows, PAGE_SIZE, (row) => row.reference);
      return {
        items: page.map(toError),
        ...(next && { next }),
        kinds: kinds.map(({ last_at, ...of }) => ({ ...of, lastAt: last_at.toISOString() })),
      };
    },

    findError: async (holder, reference) => {
      const row = await findErrorOf(db, holder, reference);
      if (!row) throw new AppError('not_found');
      return { ...toError(row), client_id: row.client_id };
    },

    healthOf: async ({ client_id: id, links }) => {
      const [alerts, counts, linkFigures] = await Promise.all([
        alertsOf([id]),
        listDays(db, id, DAYS),
        countLinks(id),
      ]);
      const days = [...Map.groupBy(counts, ({ day }) => day)].map(([day, of]) => toDay(day, of));
      return { errorsToday: 0, ...alerts.get(id), links, linkFigures, days };
    },
  };
};
