import { sql } from 'kysely';
import { insertWhere, json, text } from '../storage/columns.ts';
import { defineWrite } from '../storage/write.ts';

interface NotedApproval {
  id: string;
  accountId: string;
  brand: string;
  sessionUid: string | null;
  clientId: string;
  userAgent: string;
  clientHints: string | null;
  timeZone: string | null;
}

export const insertApproval = defineWrite<NotedApproval>((db, param, guard) =>
  insertWhere(
    db,
    'activity',
    {
      id: text(param('id')),
      account_id: text(param('accountId')),
      kind: sql`'approval_given'`,
      brand: text(param('brand')),
      session_uid: text(param('sessionUid')),
      client_id: text(param('clientId')),
      user_agent: text(param('userAgent')),
      client_hints: json(param('clientHints')),
      time_zone: text(param('timeZone')),
    },
    guard,
  ),
);
