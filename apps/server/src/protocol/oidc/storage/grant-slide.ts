import { type RawBuilder, sql } from 'kysely';
import { endIn, time } from './columns.ts';
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

/**
 * Lets the grant last at least as long as the token that is issued or used. A link lasts until its last token ends and at
 * most a day more, any other grant a while longer, for the sign-ons to come. The second call of a unit adds to the first.
 */
export const queueSlide = (unit: UnitOfWork, { brand, grantId, until, linked }: Slide): void => {
  const earlier = unit.memo.slide.get(grantId);
  const slide = {
    lastToken: Math.max(until, earlier?.lastToken ?? 0),
    linked: linked || earlier?.linked === true,
  };
  unit.memo.slide.set(grantId, slide);
  unit.hold(row.grant(grantId, 'slide'), slideGrant, {
    brand,
    grantId,
    linked: slide.linked,
    until: slide.linked ? slide.lastToken : Math.max(slide.lastToken, endIn(GRANT_AFTER_USE_SECONDS)),
  });
};
