import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { leaseIsUnreleased } from '../../ground/lease/lease.repository.ts';
import { createLease, type Lease } from '../../ground/lease/lease.ts';
import { type MovedToken, mayTokenCome } from './moved-link.repository.ts';

const NAME = 'links';
/** After an import was killed, the next one can start so long later. */
const SECONDS = 60;
/** A run that did not complete can be started again for so long, before homes lose the links that it did not reach. */
const AGAIN_SECONDS = 3_600;

/** The lease of whoever imports links, one at a time. */
export const linksLease = (db: Kysely<Database>): Lease =>
  createLease(db, { name: NAME, seconds: SECONDS, outlastsFailure: true });

/** Whether a refresh token that was not found may be one that an import, or another run of it, is about to bring. */
export const isOnTheMove = (db: Kysely<Database>, token: MovedToken): Promise<boolean> =>
  mayTokenCome(db, leaseIsUnreleased(NAME, AGAIN_SECONDS), token);
