import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { secondsFromNow } from '../../ground/db/sql-time.ts';
import type { MovedTokenTable } from './moved-token.table.ts';

// Rows travel as one JSON parameter, so that a batch of any size is the same statement.

/** A refresh token of another server, by the brand that it is for and the hash of its value. */
export interface MovedToken {
  brand: string;
  idHash: string;
}

/** What is known of such a token. */
export interface KnownToken extends MovedToken {
  /** Whose it is; null where an import took it over and its link has ended since. */
  accountId: string | null;
  clientId: string | null;
}

/** A link that another server made, with the payloads of its grant and its token. Times are in seconds since the epoch. */
export interface MovedLink extends MovedToken {
  grantId: string;
  accountId: string;
  clientId: string;
  /** The keys of its scopes, separated by spaces. */
  scope: string;
  locale: string;
  since: number;
  expiresAt: number;
  /** When the link ends however often it is used; null: it lasts as long as it is used. */
  endsAt: number | null;
  grantPayload: object;
  tokenPayload: object;
}

/** Those of the tokens that are stored, or were taken over before. */
export const listKnownTokens = async (
  db: Kysely<Database>,
  tokens: readonly MovedToken[],
): Promise<KnownToken[]> => {
  const { rows } = await sql<KnownToken>`
    select asked.brand, asked."idHash", token.account_id as "accountId", token.client_id as "clientId"
    from jsonb_to_recordset(${JSON.stringify(tokens)}::jsonb) as asked(brand text, "idHash" text)
    left join refresh_token as token on token.brand = asked.brand and token.id_hash = asked."idHash"
    left join moved_token as moved on moved.brand = asked.brand and moved.id_hash = asked."idHash"
    where token.id_hash is not null or moved.id_hash is not null`.execute(db);
  return rows;
};

/** Why a refresh token that was not found need not have ended: an import may bring it, or this is not its place. */
export type Absence = 'moving' | 'elsewhere';

/** A refresh token that was not found. */
export interface AbsentToken extends MovedToken {
  /** The client that presents it, where it links homes. */
  homeClientId: string | undefined;
  /** The ids of the brands that are served. */
  servedBrands: readonly string[];
}

/** Where a client has no older link than this, and none that ended, the database may be the wrong one. */
const YOUNG_SECONDS = 3_600;

/** The brands that refresh tokens are of. Each is one look into the index, however many tokens it has. */
const brandsOfTokens = sql`with recursive named(brand) as (
  select min(brand) from refresh_token
  union all
  select (select min(brand) from refresh_token where brand > named.brand) from named where named.brand is not null
)`;

/**
 * Asks in one statement why a token was not found: an import that ended between two would be missed. Undefined where
 * nothing speaks for it.
 */
export const findAbsence = async (
  db: Kysely<Database>,
  isImporting: Expression<SqlBool>,
  { brand, idHash, homeClientId, servedBrands }: AbsentToken,
): Promise<Absence | undefined> => {
  const client = sql`cast(${homeClientId ?? null} as text)`;
  const { rows } = await sql<{ absence: Absence | null }>`${brandsOfTokens}
    select case
      when ${isImporting} or exists (select from refresh_token where brand = ${brand} and id_hash = ${idHash})
        then 'moving'
      when exists (
        select from named join refresh_token as token on token.brand = named.brand and token.id_hash = ${idHash}
        where named.brand <> all(cast(${servedBrands} as text[]))
      ) then 'elsewhere'
      when ${client} is not null
        and not exists (
          select from authorization_grant
          where client_id = ${client} and has_refresh_token and created_at < ${secondsFromNow(-YOUNG_SECONDS)}
        )
        and not exists (select from ended_link where client_id = ${client})
        then 'elsewhere'
      end as absence`.execute(db);
  return rows[0]?.absence ?? undefined;
};

/** Those of the brands that links are of and that are not served. */
export const listLeftBrands = async (
  db: Kysely<Database>,
  servedBrands: readonly string[],
): Promise<string[]> => {
  const { rows } = await sql<{ brand: string }>`${brandsOfTokens}
    select brand from named where brand <> all(cast(${servedBrands} as text[])) order by brand`.execute(db);
  return rows.map(({ brand }) => brand);
};

/** Notes tokens as taken over, and answers the hashes of those that nobody noted before. */
export const insertMovedTokens = async (
  db: Kysely<Database>,
  tokens: readonly MovedToken[],
): Promise<string[]> => {
  const { rows } = await sql<Pick<MovedTokenTable, 'id_hash'>>`
    insert into moved_token (brand, id_hash)
    select brand, "idHash" from jsonb_to_recordset(${JSON.stringify(tokens)}::jsonb) as added(brand text, "idHash" text)
    order by brand, "idHash"
    on conflict do nothing returning id_hash`.execute(db);
  return rows.map(({ id_hash }) => id_hash);
};

/** Inserts the grants of links. Nobody's browser is known of them. */
export const insertMovedGrants = async (db: Kysely<Database>, links: readonly MovedLink[]): Promise<void> => {
  const rows = links.map(
    ({ brand, grantId, accountId, clientId, scope, locale, since, expiresAt, endsAt, grantPayload }) => ({
      brand,
      grantId,
      accountId,
      clientId,
      scope,
      locale,
      since,
      expiresAt,
      endsAt,
      payload: grantPayload,
    }),
  );
  await sql`
    insert into authorization_grant (brand, id, account_id, client_id, scope, payload, has_refresh_token, user_agent,
      address, locale, created_at, expires_at, ends_at)
    select brand, "grantId", "accountId", "clientId", scope, payload, true, '', '', locale,
      to_timestamp(since), to_timestamp("expiresAt"), to_timestamp("endsAt")
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as added(brand text, "grantId" text, "accountId" text,
      "clientId" text, scope text, payload jsonb, locale text, since double precision,
      "expiresAt" double precision, "endsAt" double precision)`.execute(db);
};

/** Inserts the refresh tokens of links, whose grants are there. */
export const insertMovedRefreshTokens = async (
  db: Kysely<Database>,
  links: readonly MovedLink[],
): Promise<void> => {
  const rows = links.map(({ brand, idHash, grantId, accountId, clientId, expiresAt, tokenPayload }) => ({
    brand,
    idHash,
    grantId,
    accountId,
    clientId,
    expiresAt,
    payload: tokenPayload,
  }));
  await sql`
    insert into refresh_token (brand, id_hash, account_id, client_id, grant_id, payload, expires_at)
    select brand, "idHash", "accountId", "clientId", "grantId", payload, to_timestamp("expiresAt")
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as added(brand text, "idHash" text, "accountId" text,
      "clientId" text, "grantId" text, payload jsonb, "expiresAt" double precision)`.execute(db);
};
