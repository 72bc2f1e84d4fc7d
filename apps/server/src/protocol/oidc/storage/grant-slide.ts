import { type Expression, type QueryCreator, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../../ground/db/database.ts';
import type { Param } from '../../../ground/db/statement.ts';
import { endIn, text, time } from './columns.ts';
import { linksCreated } from './link-creation.ts';
import { row } from './row.ts';
import type { UnitOfWork } from './unit.ts';
import { defineWrite } from './write.ts';

/** How long a grant without a refresh token lasts beyond its last use: as long as a session. */
const GRANT_AFTER_USE_SECONDS = 14 * 24 * 3600;

/** The absolute end of a link: for how long it lasts, and since when. */
export interface Term {
  /** In seconds since the epoch. A person who renews the link begins it anew. */
  start: number;
  seconds: number;
}

/** A use of a grant. */
export interface Slide {
  brand: string;
  grantId: string;
  /** The end of the token issued or used, in seconds since the epoch. */
  until: number;
  /** Whether it is a refresh token, which makes the grant a link. */
  linked: boolean;
  /** Whether it is the first refresh token of a family: the grant may have been no link before. */
  begins?: boolean;
  /** Absent: the link lasts as long as it is used. */
  term?: Term | undefined;
  /** Whether a refresh token is used, as opposed to issued. */
  refreshed?: boolean;
  /** Of a refresh token that Google keeps: the first one of a link, or one that Google presents. See `hashKeptByGoogle`. */
  googleTokenHash?: string | undefined;
}

/** Null where the link has no absolute end. The row is locked by then: a renewal is seen, however late it came. */
const endOf = (start: RawBuilder<number | null>, seconds: RawBuilder<number | null>) => sql<Date | null>`
  greatest(to_timestamp(cast(${start} as double precision)), renewed_at)
    + make_interval(secs => cast(${seconds} as double precision))`;

/**
 * An end that is late enough stays, and one that moves goes further than it must: most uses of a link leave the end as it
 * is, and so write none of the indexes of the grant. No end is later than the absolute one, which `least` ignores
 * where it is null.
 */
const slidEnd = (until: RawBuilder<Date>, end: RawBuilder<Date | null>) => sql<Date>`case
  when expires_at >= least(${until}, ${end}) then expires_at
  else least(${until} + least((${until} - now()) / 30, interval '1 day'), ${end}) end`;

const today = sql`to_char(now() at time zone 'utc', 'YYYY-MM-DD')`;

/** The counts of the last week, and one more for today. */
const countedRefreshes = sql<string>`jsonb_build_object(${today}, coalesce(cast(refreshes->>${today} as integer), 0) + 1)
  || coalesce((
    select jsonb_object_agg(day.key, day.value) from jsonb_each(refreshes) as day
    where day.key < ${today} and day.key > to_char((now() at time zone 'utc') - interval '7 days', 'YYYY-MM-DD')
  ), cast('{}' as jsonb))`;

interface SlideValues {
  brand: string;
  grantId: string;
  until: number;
  /** The scopes as the request read them; null where it read none. */
  scope: string | null;
}

interface TermValues {
  termStart: number | null;
  termSeconds: number | null;
}

/** @param end the absolute end of the grant; it changes with the use of a refresh token alone. */
const setsOf = (param: Param<SlideValues>, end: RawBuilder<Date | null>) => ({
  expires_at: slidEnd(time(param('until')), end),
  last_accessed_at: sql<Date>`now()`,
});

/** Whether the grant has the scopes that the tokens of the unit were made for. */
const isAsRead = (param: Param<Pick<SlideValues, 'scope'>>) =>
  sql<boolean>`coalesce(authorization_grant.scope = ${text(param('scope'))}, true)`.as('as_read');

const slideOf = (db: QueryCreator<Database>, param: Param<SlideValues>, guard: Expression<SqlBool>) =>
  db
    .updateTable('authorization_grant')
    .where('brand', '=', param('brand'))
    .where('id', '=', param('grantId'))
    .where(guard)
    .returning(['id', isAsRead(param)]);

const slideGrant = defineWrite<SlideValues>((db, param, guard) =>
  slideOf(db, param, guard).set(setsOf(param, sql`ends_at`)),
);

/** A use of a refresh token sets the absolute end anew, by the registration of the client as it is now. */
const linkSetsOf = (param: Param<SlideValues & TermValues>) => {
  const end = endOf(param('termStart'), param('termSeconds'));
  return { ...setsOf(param as Param<SlideValues>, end), ends_at: end, has_refresh_token: true };
};

const defineLinkSlide = (more: { refreshes?: RawBuilder<string> }) =>
  defineWrite<SlideValues & TermValues>((db, param, guard) =>
    slideOf(db, param as Param<SlideValues>, guard).set({ ...linkSetsOf(param), ...more }),
  );

const slideLink = defineLinkSlide({});
const slideRefreshed = defineLinkSlide({ refreshes: countedRefreshes });

/**
 * What Google presents is what it keeps: the token of a link that is older than the column, and in place of one that has
 * moved the token that was answered for it.
 */
const slideRefreshedByGoogle = defineWrite<SlideValues & TermValues & { googleTokenHash: string | null }>(
  (db, param, guard) =>
    slideOf(db, param as Param<SlideValues>, guard).set({
      ...linkSetsOf(param as Param<SlideValues & TermValues>),
      refreshes: countedRefreshes,
      google_token_hash: text(param('googleTokenHash')),
    }),
);

/** Slides a grant that becomes a link, and tells of the link. Of several at once one has found it to be none. */
const slideNewLink = defineWrite<SlideValues & TermValues & { googleTokenHash: string | null }>(
  (db, param, guard) =>
    db
      .updateTable('authorization_grant')
      .from((query) =>
        query
          .selectFrom('authorization_grant as held')
          .select(['held.brand', 'held.id', 'held.has_refresh_token as was_link'])
          .where('held.brand', '=', param('brand'))
          .where('held.id', '=', param('grantId'))
          .where(guard)
          .forNoKeyUpdate()
          .as('before'),
      )
      .set({
        ...linkSetsOf(param as Param<SlideValues & TermValues>),
        google_token_hash: text(param('googleTokenHash')),
      })
      .whereRef('authorization_grant.brand', '=', 'before.brand')
      .whereRef('authorization_grant.id', '=', 'before.id')
      .returning([
        'authorization_grant.brand',
        'authorization_grant.account_id',
        'authorization_grant.client_id',
        'authorization_grant.scope',
        'before.was_link',
        isAsRead(param as Param<SlideValues>),
      ]),
  {
    follow: (db, _param, returned) => [
      linksCreated(
        db,
        sql`(select brand, account_id, client_id, scope from ${returned} where not was_link) as link`,
      ),
    ],
  },
);

/**
 * Lets the grant last at least as long as the token that is issued or used. A link lasts until its last token ends and at
 * most a day more, any other grant a while longer, for the sign-ons to come. The second call of a unit adds to the first.
 */
export const queueSlide = (unit: UnitOfWork, { brand, grantId, ...use }: Slide): void => {
  const earlier = unit.memo.slide.get(grantId);
  const slide = {
    lastToken: Math.max(use.until, earlier?.lastToken ?? 0),
    linked: use.linked || earlier?.linked === true,
    begins: use.begins === true || earlier?.begins === true,
    term: use.term ?? earlier?.term,
    refreshed: use.refreshed === true || earlier?.refreshed === true,
    googleTokenHash: use.googleTokenHash ?? earlier?.googleTokenHash ?? null,
  };
  unit.memo.slide.set(grantId, slide);
  const { lastToken, term, linked, begins, refreshed, googleTokenHash } = slide;
  const side = row.grant(grantId, 'slide');
  const key = { brand, grantId, scope: unit.memo.scope.get(grantId) ?? null };
  const values = {
    ...key,
    until: lastToken,
    termStart: term?.start ?? null,
    termSeconds: term?.seconds ?? null,
  };
  if (linked && begins) unit.hold(side, slideNewLink, { ...values, googleTokenHash });
  else if (refreshed && googleTokenHash !== null)
    unit.hold(side, slideRefreshedByGoogle, { ...values, googleTokenHash });
  else if (linked) unit.hold(side, refreshed ? slideRefreshed : slideLink, values);
  else unit.hold(side, slideGrant, { ...key, until: Math.max(lastToken, endIn(GRANT_AFTER_USE_SECONDS)) });
};
