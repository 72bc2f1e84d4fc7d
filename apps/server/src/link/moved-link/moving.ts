import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { leaseIsHeld } from '../../ground/lease/lease.repository.ts';
import { createLease, type Lease } from '../../ground/lease/lease.ts';
import { type MovedToken, mayTokenCome } from './moved-link.repository.ts';

const NAME = 'links';
/** An import that was killed is over for every process after so long. */
const SECONDS = 60;

/** The lease of whoever imports links, one at a time. */
export const linksLease = (db: Kysely<Database>): Lease => createLease(db, { name: NAME, seconds: SECONDS });

/** Whether a refresh token that was not found may be one that an import is about to bring. */
export const isOnTheMove = (db: Kysely<Database>, token: MovedToken): Promise<boolean> =>
  mayTokenCome(db, leaseIsHeld(NAME), token);
