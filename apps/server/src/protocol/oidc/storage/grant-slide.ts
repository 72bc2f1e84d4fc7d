import { type RawBuilder, sql } from 'kysely';
import { endIn, time } from './columns.ts';
import { linksCreated } from './link-creation.ts';
import { row } from './row.ts';
import type { UnitOfWork } from './unit.ts';
import { defineWrite } from './write.ts';

/** How long a grant without a refresh token lasts beyond its last use: as long as a session. */
const GRANT_AFTER_USE_SECONDS = 14 * 24 * 3600;

interface Slide {
  brand: string;
  grantId: string;
  /** The end of the token issued or used, in seconds since the epoch. */
  until: number;
  /** Whether it is a refresh token, which makes the grant a link. */
  linked: boolean;
  /** Whether it is the first refresh token of a family: the grant may have been no link before. */
  begins?: boolean;
}

/**
 * An end that is late enough stays, and one that moves goes further than it must: most uses of a link leave the end as it
 * is, and so write none of the indexes of the grant.
 */
const slidEnd = (until: RawBuilder<Date>) => sql<Date>`case when expires_at >= ${until} then expires_at
  else ${until} + least((${until} - now()) / 30, interval '1 day') end`;

const slideGrant = defineWrite<Slide>((db, param, guard) =>
  db
    .updateTable('authorization_grant')
    .set({
      expires_at: slidEnd(time(param('until'))),
      last_accessed_at: sql`now()`,
      has_refresh_token: sql`has_refresh_token or cast(${param('linked')} as boolean)`,
    })
    .where('brand', '=', param('brand'))
    .where('id', '=', param('grantId'))
    .where(guard)
    .returning('id'),
);

/** Slides a grant that becomes a link, and tells of the link. Of several at once one has found it to be none. */
const slideNewLink = defineWrite<Required<Slide>>(
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
        expires_at: slidEnd(time(param('until'))),
        last_accessed_at: sql`now()`,
        has_refresh_token: true,
      })
      .whereRef('authorization_grant.brand', '=', 'before.brand')
      .whereRef('authorization_grant.id', '=', 'before.id')
      .returning([
        'authorization_grant.brand',
        'authorization_grant.account_id',
        'authorization_grant.client_id',
        'authorization_grant.scope',
        'before.was_link',
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
export const queueSlide = (
  unit: UnitOfWork,
  { brand, grantId, until, linked, begins = false }: Slide,
): void => {
  const earlier = unit.memo.slide.get(grantId);
  const slide = {
    lastToken: Math.max(until, earlier?.lastToken ?? 0),
    linked: linked || earlier?.linked === true,
    begins: begins || earlier?.begins === true,
  };
  unit.memo.slide.set(grantId, slide);
  const values = {
    brand,
    grantId,
    linked: slide.linked,
    begins: slide.begins,
    until: slide.linked ? slide.lastToken : Math.max(slide.lastToken, endIn(GRANT_AFTER_USE_SECONDS)),
  };
  const side = row.grant(grantId, 'slide');
  if (slide.begins) unit.hold(side, slideNewLink, values);
  else unit.hold(side, slideGrant, values);
};
