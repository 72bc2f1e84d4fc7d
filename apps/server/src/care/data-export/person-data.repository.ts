import type { ActivityDetail, ActivityKind } from '@candela/contract';
import { type Kysely, sql } from 'kysely';
import type { ClientHints } from '../../ground/browser/client-hints.ts';
import type { Database } from '../../ground/db/database.ts';

/** No list of a file is longer: a person reads no more, and the server builds it in memory. */
const MOST_ROWS = 10_000;

interface Browser {
  userAgent: string;
  clientHints: ClientHints | null;
}

/** What the tables hold of a person, but secrets and what is kept of others. Times are in ISO 8601. */
export interface PersonRows {
  account: {
    id: string;
    nickname: string;
    locale: string;
    createdAt: string;
    updatedAt: string;
    leavingAt?: string;
  };
  identifiers: { kind: 'phone' | 'email'; identifier: string; verifiedAt: string; boundSince?: string }[];
  passwordChangedAt?: string;
  agreements: {
    id: string;
    version: string;
    locale: string;
    brand: string;
    /** The app on whose page it was. */
    clientId?: string;
    acceptedAt: string;
  }[];
  googleSubjects: { clientId: string; subject: string; createdAt: string }[];
  sessions: ({ brand: string; address: string; locale: string } & Times & Browser)[];
  authorizations: ({
    brand: string;
    clientId: string;
    scope: string;
    address: string;
    locale: string;
    staysConnected: boolean;
    /** What the person calls it. */
    label?: string;
    renewedAt?: string;
    endsAt?: string;
  } & Times &
    Browser)[];
  endedAuthorizations: {
    brand: string;
    clientId: string;
    scope: string;
    label?: string;
    reason: string;
    createdAt: string;
    endedAt: string;
  }[];
  signalSubjects: { brand: string; clientId: string; isTold: boolean }[];
  rememberedConsents: { brand: string; clientId: string; scope: string; updatedAt: string }[];
  rememberedBy: { identifier?: string; lastUsedAt: string }[];
  passkeys: { name: string; createdAt: string; lastUsedAt?: string; synced: boolean }[];
  providers: { brand: string; provider: string; email?: string; linkedAt: string; lastUsedAt?: string }[];
  passkeyOfferDeclinedAt?: string;
  secondFactor?: { since: string; recoveryCodesLeft: number };
  trustedBrowsers: ({ brand: string; createdAt: string; lastUsedAt: string; expiresAt: string } & Browser)[];
  recoveryWait?: { requestedAt: string; dueAt: string };
  changes: {
    kind: string;
    identifier?: string;
    replaced: string;
    requestedAt: string;
    dueAt: string;
    doneAt?: string;
  }[];
  activity: ({
    at: string;
    kind: ActivityKind;
    brand?: string;
    clientId?: string;
    timeZone?: string;
    detail?: ActivityDetail;
    count?: number;
    disputedAt?: string;
  } & Browser)[];
  developerSince?: string;
  /** What the person asked, who wants to register clients. */
  developerRequest?: { why: string; requestedAt: string };
  staffSince?: string;
  /** What staff keep for whoever answers next. */
  staffNotes: { text: string; createdAt: string }[];
  clients: { clientId: string; role: string; addedAt: string }[];
  exportRequestedAt?: string;
}

interface Times {
  createdAt: string;
  lastAccessedAt: string;
  expiresAt: string;
}

/** The fields that a file leaves out where they have no value. */
type Nullable<Row> = { [Key in keyof Row]: undefined extends Row[Key] ? Row[Key] | null : Row[Key] };

/** A row as JSON has it: times are texts, and what has no value is left out. */
const toWritten = <Row extends object>(row: Nullable<Row>): Row =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  ) as Row;

/**
 * The tables of a person, each with the columns that are theirs to know, by the names of the contract.
 * A test compares it with the tables of the schema that name accounts.
 */
const columnsOf: Readonly<Record<string, { columns: string; of?: string; order: string }>> = {
  account: {
    columns: `id, nickname, locale, created_at as "createdAt", updated_at as "updatedAt", leaving_at as "leavingAt"`,
    of: 'id',
    order: 'id',
  },
  account_identifier: {
    columns: `kind, display as "identifier", verified_at as "verifiedAt", bound_since as "boundSince"`,
    order: 'verified_at',
  },
  password: { columns: `changed_at as "changedAt"`, order: 'changed_at' },
  agreement_acceptance: {
    columns: `agreement_id as "id", version, locale, brand, client_id as "clientId", accepted_at as "acceptedAt"`,
    order: 'accepted_at desc',
  },
  google_subject: {
    columns: `client_id as "clientId", subject, created_at as "createdAt"`,
    order: 'created_at',
  },
  session: {
    columns: `brand, address, locale, created_at as "createdAt", last_accessed_at as "lastAccessedAt",
      expires_at as "expiresAt", user_agent as "userAgent", client_hints as "clientHints"`,
    order: 'created_at desc',
  },
  authorization_grant: {
    columns: `brand, client_id as "clientId", scope, label, address, locale, has_refresh_token as "staysConnected",
      renewed_at as "renewedAt", ends_at as "endsAt", created_at as "createdAt", last_accessed_at as "lastAccessedAt", expires_at as "expiresAt",
      user_agent as "userAgent", client_hints as "clientHints"`,
    order: 'created_at desc',
  },
  ended_link: {
    columns: `brand, client_id as "clientId", scope, label, reason, since as "createdAt", ended_at as "endedAt"`,
    order: 'ended_at desc',
  },
  signal_subject: {
    columns: `(select brand from signal_stream where id = stream_id) as "brand",
      (select client_id from signal_stream where id = stream_id) as "clientId", included as "isTold"`,
    order: 'stream_id',
  },
  remembered_consent: {
    columns: `brand, client_id as "clientId", scope, updated_at as "updatedAt"`,
    order: 'updated_at desc',
  },
  device_account: {
    columns: `display as "identifier", last_used_at as "lastUsedAt"`,
    order: 'last_used_at desc',
  },
  passkey: {
    columns: `name, created_at as "createdAt", last_used_at as "lastUsedAt", backed_up as "synced"`,
    order: 'created_at desc',
  },
  federated_identity: {
    columns: `brand, provider, email, linked_at as "linkedAt", last_used_at as "lastUsedAt"`,
    order: 'linked_at desc',
  },
  passkey_offer: { columns: `declined_at as "declinedAt"`, order: 'declined_at' },
  totp: {
    columns: `active_since as "since", (select count(*)::int from recovery_code as code
      where code.account_id = totp.account_id and code.used_at is null) as "recoveryCodesLeft"`,
    order: 'started_at',
  },
  trusted_browser: {
    columns: `brand, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt",
      user_agent as "userAgent", client_hints as "clientHints"`,
    order: 'created_at desc',
  },
  recovery_wait: { columns: `requested_at as "requestedAt", due_at as "dueAt"`, order: 'due_at' },
  identifier_change: {
    columns: `kind, new_display as "identifier", display as "replaced", requested_at as "requestedAt",
      due_at as "dueAt", done_at as "doneAt"`,
    order: 'requested_at desc',
  },
  activity: {
    columns: `created_at as "at", kind, brand, client_id as "clientId", time_zone as "timeZone", detail,
      user_agent as "userAgent", client_hints as "clientHints",
      (select count from activity_count where activity_id = activity.id) as "count",
      (select disputed_at from activity_dispute where activity_id = activity.id) as "disputedAt"`,
    order: 'created_at desc, id',
  },
  developer: { columns: `allowed_at as "allowedAt"`, order: 'allowed_at' },
  developer_request: { columns: `why, created_at as "requestedAt"`, order: 'created_at' },
  staff: { columns: `allowed_at as "allowedAt"`, order: 'allowed_at' },
  account_note: { columns: `text, created_at as "createdAt"`, order: 'created_at desc' },
  client_member: { columns: `client_id as "clientId", role, added_at as "addedAt"`, order: 'added_at' },
  account_export: { columns: `requested_at as "requestedAt"`, order: 'requested_at' },
};

/** The tables that a file is made of. */
export const exportedTables: readonly string[] = Object.keys(columnsOf);

const rowsOf = async <Row extends object>(
  db: Kysely<Database>,
  table: string,
  accountId: string,
): Promise<Row[]> => {
  const { columns = '', of = 'account_id', order = '' } = columnsOf[table] ?? {};
  const { rows } = await sql<Nullable<Row>>`
    select ${sql.raw(columns)} from ${sql.table(table)} where ${sql.ref(of)} = ${accountId}
    order by ${sql.raw(order)} limit ${sql.lit(MOST_ROWS)}`.execute(db);
  return rows.map((row) => toWritten<Row>(row));
};

/** Everything that the tables hold of a person; undefined where there is no such account. */
export const findPersonRows = async (
  db: Kysely<Database>,
  accountId: string,
): Promise<PersonRows | undefined> => {
  const rows = <Row extends object>(table: string) => rowsOf<Row>(db, table, accountId);
  const one = async <Row extends object>(table: string) => (await rows<Row>(table))[0];
  const account = await one<PersonRows['account']>('account');
  if (!account) return undefined;
  const password = await one<{ changedAt: string }>('password');
  const offer = await one<{ declinedAt: string }>('passkey_offer');
  const totp = await one<{ since?: string; recoveryCodesLeft: number }>('totp');
  const wait = await one<NonNullable<PersonRows['recoveryWait']>>('recovery_wait');
  const developer = await one<{ allowedAt: string }>('developer');
  const request = await one<NonNullable<PersonRows['developerRequest']>>('developer_request');
  const staff = await one<{ allowedAt: string }>('staff');
  const asked = await one<{ requestedAt: string }>('account_export');
  return {
    account,
    identifiers: await rows('account_identifier'),
    ...(password && { passwordChangedAt: password.changedAt }),
    agreements: await rows('agreement_acceptance'),
    googleSubjects: await rows('google_subject'),
    sessions: await rows('session'),
    authorizations: await rows('authorization_grant'),
    endedAuthorizations: await rows('ended_link'),
    signalSubjects: await rows('signal_subject'),
    rememberedConsents: await rows('remembered_consent'),
    rememberedBy: await rows('device_account'),
    passkeys: await rows('passkey'),
    providers: await rows('federated_identity'),
    ...(offer && { passkeyOfferDeclinedAt: offer.declinedAt }),
    ...(totp?.since !== undefined && {
      secondFactor: { since: totp.since, recoveryCodesLeft: totp.recoveryCodesLeft },
    }),
    trustedBrowsers: await rows('trusted_browser'),
    ...(wait && { recoveryWait: wait }),
    changes: await rows('identifier_change'),
    activity: await rows('activity'),
    ...(developer && { developerSince: developer.allowedAt }),
    ...(request && { developerRequest: request }),
    ...(staff && { staffSince: staff.allowedAt }),
    staffNotes: await rows('account_note'),
    clients: await rows('client_member'),
    ...(asked && { exportRequestedAt: asked.requestedAt }),
  };
};
