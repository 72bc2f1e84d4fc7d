import type { LinkFigures } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { countEndedLinks } from '../../person/signal/ended-link-list.repository.ts';
import { countLiveLinks, MOST_LINKS } from './grant.repository.ts';
import { QUIET_DAYS } from './quiet-days.ts';

const DAYS = 30;

/** How the links of a client fare: made and ended in the last 30 days, and quiet now. */
export const countLinks = async (db: Kysely<Database>, clientId: string): Promise<LinkFigures> => {
  const [live, ended] = await Promise.all([
    countLiveLinks(db, clientId, { madeDays: DAYS, quietDays: QUIET_DAYS }),
    countEndedLinks(db, clientId, { days: DAYS, most: MOST_LINKS }),
  ]);
  return {
    made: live.made + ended.made,
    quiet: live.quiet,
    ended: Object.fromEntries(ended.reasons.map(({ reason, count }) => [reason, count])),
  };
};
