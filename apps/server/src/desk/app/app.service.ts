import type {
  ClientErrorKind,
  ClientErrorList,
  ClientHistory,
  ClientSource,
  DeskClient,
  DeskClientList,
} from '@candela/contract';
import type { Kysely } from 'kysely';
import type { ClientHealthService } from '../../clients/client-health/client-health.service.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { ClientRegistry } from '../../registration/client-registry/client-registry.service.ts';
import type { StaffAtWork } from '../desk-session/desk-session.service.ts';
import { appendRecord, recordLook } from '../record/record.service.ts';
import { recordRefused } from '../record/record-refused.ts';
import { requireRoleStill } from '../staff/require-role.ts';

export interface AppOptions {
  db: Kysely<Database>;
  registry: Pick<ClientRegistry, 'list' | 'get' | 'members' | 'history' | 'setDisabled'>;
  clientHealth: Pick<ClientHealthService, 'alertsOf' | 'healthOf' | 'listErrors'>;
}

interface ListChoice {
  after?: string | undefined;
  source?: ClientSource | undefined;
}

/** What staff see and do of clients. */
export interface AppService {
  /** All clients, the newest first, with what is wrong with each. @throws AppError invalid_request for another `after` */
  list(member: StaffAtWork, choice: ListChoice): Promise<DeskClientList>;
  /** @throws AppError not_found */
  show(member: StaffAtWork, id: string): Promise<DeskClient>;
  /** @throws AppError not_found, invalid_request */
  listErrors(
    member: StaffAtWork,
    id: string,
    choice: { after?: string | undefined; kind?: ClientErrorKind | undefined },
  ): Promise<ClientErrorList>;
  /** @throws AppError not_found, invalid_request */
  history(member: StaffAtWork, id: string, choice: { after?: string | undefined }): Promise<ClientHistory>;
  /**
   * Disables or enables a client, in one transaction with its entry in the record, whose number is the answer.
   * @throws AppError not_found, role_insufficient, nothing_to_do
   */
  setDisabled(
    member: StaffAtWork,
    id: string,
    change: { disabled: boolean; reason: string },
  ): Promise<{ entry: number }>;
}

const operator = { kind: 'operator' } as const;

export const createAppService = ({ db, registry, clientHealth }: AppOptions): AppService => ({
  list: async (member, { after, source }) => {
    const { items, next } = await registry.list(operator, { after, source });
    const alerts = await clientHealth.alertsOf(items.map((item) => item.client_id));
    await recordLook(db, member.actor, { action: 'look-at-apps', subject: source });
    return {
      items: items.map((item) => ({ ...item, alert: alerts.get(item.client_id) ?? { errorsToday: 0 } })),
      ...(next !== undefined && { next }),
    };
  },

  show: async (member, id) => {
    const client = await registry.get(operator, id);
    const [health, members] = await Promise.all([
      clientHealth.healthOf(client),
      registry.members(operator, id),
    ]);
    await recordLook(db, member.actor, { action: 'look-at-app', subject: id });
    return { client, health, members };
  },

  listErrors: async ({ actor }, id, choice) => {
    await registry.get(operator, id);
    await recordLook(db, actor, { action: 'look-at-app', subject: id });
    return clientHealth.listErrors(id, choice);
  },

  history: async ({ actor }, id, choice) => {
    const history = await registry.history(operator, id, choice);
    await recordLook(db, actor, { action: 'look-at-app', subject: id });
    return history;
  },

  setDisabled: ({ current, actor }, id, { disabled, reason }) => {
    const recorded = { action: disabled ? 'disable-app' : 'enable-app', subject: id, reason } as const;
    return recordRefused(db, actor, recorded, async () => {
      let entry = 0;
      const changed = await registry.setDisabled(operator, id, disabled, async (trx) => {
        await requireRoleStill(trx, current.accountId, 'operator');
        entry = await appendRecord(trx, actor, recorded);
      });
      if (!changed) throw new AppError('nothing_to_do');
      return { entry };
    });
  },
});
