import { type Expression, type Kysely, type QueryCreator, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { STAND_IN } from '../stand-in/stand-in.ts';
import type { LinkEndReason } from './signal.table.ts';
import { type InitiatingEntity, isStamped, type LinkSignal, linkEnders, type Told } from './told.ts';

// Each statement writes one row for each stream that hears of an event. Who hears of it is decided now: afterwards the
// grants may be gone. Where there is no stream it reads one empty table.

/**
 * Whether a stream takes an event of an account. A paused one collects; what concerns the client is asked apart. Nobody
 * hears of stand-ins.
 * @param event its name
 */
const takes = (event: RawBuilder<string>, accountId: RawBuilder<string>) => sql<SqlBool>`
  ${accountId} not like ${sql.lit(`${STAND_IN}%`)} and stream.status <> 'disabled' and ${event} = any(stream.events_requested)
  and (stream.subjects = 'all') is distinct from exists (
    select from signal_subject as subject
    where subject.stream_id = stream.id and subject.account_id = ${accountId}
      and subject.included = (stream.subjects <> 'all')
  )`;

const isFirstParty = sql<SqlBool>`exists (
  select from client where client.id = stream.client_id and client.first_party
)`;

/** Whether the client of the stream may ask for a scope: its registration names it, or none (RFC 7591 section 2). */
const mayAskFor = (scope: RawBuilder<string>) => sql<SqlBool>`exists (
  select from client as registered
  where registered.id = stream.client_id
    and (registered.metadata ->> 'scope' is null
      or ${scope} = any(string_to_array(registered.metadata ->> 'scope', ' ')))
)`;

/**
 * Whether the client of the stream has a live grant of the account at its brand; with that scope, which it may still ask
 * for, if one is named.
 */
const holdsGrant = (accountId: RawBuilder<string>, scope?: RawBuilder<string>) => sql<SqlBool>`exists (
  select from authorization_grant as held
  where held.account_id = ${accountId} and held.client_id = stream.client_id and held.brand = stream.brand
    and held.expires_at > now()
    and ${scope ? sql`${scope} = any(string_to_array(held.scope, ' ')) and ${mayAskFor(scope)}` : sql`true`}
)`;

/** When it happened, in seconds, and who is behind it. */
const stampOf = (by: RawBuilder<string>) => sql`jsonb_build_object(
  'event_timestamp', cast(floor(extract(epoch from now())) as bigint), 'initiating_entity', ${by})`;

// A stream that is deleted meanwhile is passed over: the lock waits for its deletion.
const LOCKED = sql`for key share of stream`;

const insertion = (db: QueryCreator<Database>, columns: 'account' | 'session', rows: RawBuilder<unknown>) =>
  db
    .insertInto('signal')
    .columns([
      'stream_id',
      'account_id',
      'event',
      'payload',
      ...(columns === 'session' ? ['sid' as const] : []),
    ])
    .expression(sql`${rows} ${LOCKED}`);

/** What `jsonb_to_recordset` reads of an event. */
const toRecord = ({ event, members, opened, openedAt, suspensions }: Told, position: number) => ({
  position,
  event,
  stamped: isStamped(event),
  members,
  scope: opened?.scope,
  opened: opened?.members,
  opened_at: openedAt,
  suspensions,
});

/** How many things suspend an account. */
const suspensionsOf = (accountId: RawBuilder<string>) => sql<number>`(
  select (account.status <> 'active')::int + (account.leaving_at is not null)::int
  from account where account.id = ${accountId}
)`;

/**
 * Tells events of an account to the clients that have a live grant of it, at whichever brand, and to the brands' own.
 * Call it before the grants end, in the transaction of what happened.
 */
export const insertAccountSignals = async (
  trx: Kysely<Database>,
  accountId: string,
  { tells, by }: { tells: readonly Told[]; by: InitiatingEntity },
): Promise<void> => {
  const account = sql<string>`cast(${accountId} as text)`;
  const scope = sql<string>`told.scope`;
  await insertion(
    trx,
    'account',
    sql`
      select stream.id, ${account}, told.event,
        case when told.stamped then ${stampOf(sql`cast(${by} as text)`)} else '{}' end
          || coalesce(told.members, '{}')
          || case when ${holdsGrant(account, scope)}
            then coalesce(told.opened_at -> stream.brand, told.opened, '{}') else '{}' end
      from jsonb_to_recordset(cast(${JSON.stringify(tells.map(toRecord))} as jsonb)) as told(
        position int, event text, stamped boolean, members jsonb, scope text, opened jsonb,
        opened_at jsonb, suspensions int)
      cross join signal_stream as stream
      where ${takes(sql`told.event`, account)} and (${isFirstParty} or ${holdsGrant(account)})
        and (told.members is not null or ${holdsGrant(account, scope)})
        and (told.suspensions is null or told.suspensions = ${suspensionsOf(account)})
      order by told.position, stream.id`,
  ).execute();
};

/**
 * The columns that tell of a link: `brand`, `account_id`, `client_id` and `scope`, of a relation named `link`; of one that
 * ended also `google_token_hash`.
 */
type Links = RawBuilder<unknown>;

interface LinkEvent {
  event: LinkSignal;
  /** What stands behind FROM. */
  links: Links;
  by: string | Expression<string>;
  /** Why it ended. */
  reason?: string | Expression<string>;
  /** What it had before, where it has less now. */
  previousScope?: string;
}

/**
 * Google hears of nothing but the ends of its own links, and only of those whose token it can be told by. Nobody else is
 * given that name of the token.
 */
const toGoogle = {
  mayHear: sql<SqlBool>`(stream.delivery_method <> 'google'
    or (stream.client_id = link.client_id and link.google_token_hash is not null))`,
  members: sql`case when stream.delivery_method = 'google'
    then jsonb_build_object('google_token_hash', link.google_token_hash) else '{}' end`,
};

/** Whose link it is, for the brand's own that hear of all: a client knows that it is its own. */
const whoseLink = sql`case when stream.client_id <> link.client_id
  then jsonb_build_object('client_id', link.client_id) else '{}' end`;

/** The statement that tells of links: to the client of each, and to the own clients of its brand. */
export const signalsOfLinks = (
  db: QueryCreator<Database>,
  { event, links, by, reason, previousScope }: LinkEvent,
) =>
  insertion(
    db,
    'account',
    sql`
      select stream.id, link.account_id, ${sql.lit(event)},
        ${stampOf(sql`cast(${by} as text)`)} || jsonb_build_object('scope', link.scope) || ${whoseLink}
          ${reason === undefined ? sql`` : sql`|| jsonb_build_object('reason', cast(${reason} as text)) || ${toGoogle.members}`}
          ${previousScope === undefined ? sql`` : sql`|| jsonb_build_object('previous_scope', cast(${previousScope} as text))`}
      from ${links} cross join signal_stream as stream
      where stream.brand = link.brand and ${takes(sql.lit(event), sql`link.account_id`)}
        and (stream.client_id = link.client_id or ${isFirstParty})
        and ${reason === undefined ? sql`stream.delivery_method <> 'google'` : toGoogle.mayHear}
      order by link.client_id, stream.id`,
  );

/** Tells of the end of links, whose grants the transaction has deleted. */
export const insertSignalsOfEnded = async (
  trx: Kysely<Database>,
  gone: readonly {
    brand: string;
    account_id: string;
    client_id: string;
    scope: string;
    google_token_hash: string | null;
  }[],
  reason: LinkEndReason,
): Promise<void> => {
  const links = sql`jsonb_to_recordset(cast(${JSON.stringify(gone)} as jsonb)) as link(
    brand text, account_id text, client_id text, scope text, google_token_hash text)`;
  await signalsOfLinks(trx, { event: 'link-ended', links, by: linkEnders[reason], reason }).execute();
};

/** Tells that a link has fewer scopes than before. @param link its grant, as it is now */
export const insertSignalsOfNarrowed = async (
  trx: Kysely<Database>,
  link: { brand: string; account_id: string; client_id: string; scope: string },
  previousScope: string,
): Promise<void> => {
  const { brand, account_id, client_id, scope } = link;
  const links = sql`(select cast(${brand} as text) as brand, cast(${account_id} as text) as account_id,
    cast(${client_id} as text) as client_id, cast(${scope} as text) as scope) as link`;
  await signalsOfLinks(trx, { event: 'link-narrowed', links, by: 'user', previousScope }).execute();
};

/** Tells an event of each live link of an account. */
export const insertSignalsOfLinks = async (
  trx: Kysely<Database>,
  accountId: string,
  { event, by, suspensions }: { event: LinkSignal; by: InitiatingEntity; suspensions?: number | undefined },
): Promise<void> => {
  const account = sql<string>`cast(${accountId} as text)`;
  const links = sql`(
    select brand, account_id, client_id, scope from authorization_grant
    where account_id = ${account} and has_refresh_token and expires_at > now()
      and ${suspensions === undefined ? sql`true` : sql`${suspensionsOf(account)} = ${sql.lit(suspensions)}`}
  ) as link`;
  await signalsOfLinks(trx, { event, links, by }).execute();
};

/**
 * The statement that tells of sessions of one brand, whose rows are locked and still there: to each client that was
 * signed in to from one, by the `sid` that it knows, and to the brand's own, by the session's `uid` otherwise.
 */
export const signalsOfSessions = (
  db: QueryCreator<Database>,
  {
    brand,
    uids,
    by,
  }: { brand: string | Expression<string>; uids: Expression<string[]>; by: InitiatingEntity },
) =>
  insertion(
    db,
    'session',
    sql`
      select stream.id, session.account_id, 'session-revoked', ${stampOf(sql.lit(by))},
        coalesce(known.sid, session.uid)
      from session cross join signal_stream as stream
      cross join lateral (
        select session.payload #>> array['authorizations', stream.client_id, 'sid'] as sid
      ) as known
      where session.brand = ${brand} and session.uid = any(${uids}) and session.account_id is not null
        and stream.brand = session.brand
        and ${takes(sql.lit('session-revoked'), sql`session.account_id`)}
        and (${isFirstParty} or (known.sid is not null and ${holdsGrant(sql`session.account_id`)}))
      order by session.uid, stream.id`,
  );

/**
 * Deletes what was told of an account that is deleted, and what is still to be told of its identifiers and profile. What
 * waits besides names the account by its id alone.
 */
export const deleteSignalsToForget = async (trx: Kysely<Database>, accountId: string): Promise<void> => {
  await trx
    .deleteFrom('signal')
    .where('account_id', '=', accountId)
    .where((where) =>
      where.or([
        where('settled_at', 'is not', null),
        where('event', 'in', ['identifier-changed', 'token-claims-change']),
      ]),
    )
    .execute();
};
