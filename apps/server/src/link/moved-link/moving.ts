import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { leaseIsUnreleased } from '../../ground/lease/lease.repository.ts';
import { createLease, type Lease } from '../../ground/lease/lease.ts';
import { type Absence, type AbsentToken, findAbsence } from './moved-link.repository.ts';

const NAME = 'links';
/** After an import was killed, the next one can start so long later. */
const SECONDS = 60;
/** A run that did not complete can be started again for so long, before homes lose the links that it did not reach. */
const AGAIN_SECONDS = 3_600;

/** The lease of whoever imports links, one at a time. */
export const linksLease = (db: Kysely<Database>): Lease =>
  createLease(db, { name: NAME, seconds: SECONDS, outlastsFailure: true });

/**
 * Why a refresh token that was not found need not have ended (docs/decisions/158-links-of-another-database.md).
 * `moving`: an import, or another run of it, may bring it. `elsewhere`: it is of a brand that is not served, or its client
 * links homes and has had no link for an hour, which is most likely the wrong database.
 */
export const absenceOf = (db: Kysely<Database>, token: AbsentToken): Promise<Absence | undefined> =>
  findAbsence(db, leaseIsUnreleased(NAME, AGAIN_SECONDS), token);
