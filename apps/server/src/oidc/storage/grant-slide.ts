import { sql } from 'kysely';
import { endIn, time } from './columns.ts';
import { row } from './row.ts';
import type { UnitOfWork } from './unit.ts';
import { defineWrite } from './write.ts';

/** How long a grant lasts beyond its last use where no refresh token carries it: as long as a session. */
const GRANT_AFTER_USE_SECONDS = 14 * 24 * 3600;

interface Slide {
  brand: string;
  grantId: string;
  /** The end of the token issued or used, in seconds since the epoch. */
  until: number;
  /** Whether it is a refresh token, which makes the grant a link. */
  linked: boolean;
}

const slideGrant = defineWrite<Slide>((db, param, guard) =>
  db
    .updateTable('authorization_grant')
    .set({
      expires_at: sql`greatest(expires_at, ${time(param('until'))})`,
      last_accessed_at: sql`now()`,
      has_refresh_token: sql`has_refresh_token or cast(${param('linked')} as boolean)`,
    })
    .where('brand', '=', param('brand'))
    .where('id', '=', param('grantId'))
    .where(guard)
    .returning('id'),
);

/**
 * Lets the grant last at least as long as the token issued: a link until its last token ends, any other a while
 * beyond, for the sign-ons to come. The later of two calls in a unit holds both. The slide locks the grant before the
 * rest of the unit is written.
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
