import { deletionOfSessions } from '../../person/session/session.repository.ts';
import { logoutsOfSessions } from '../backchannel-logout/backchannel-logout.repository.ts';
import { deletionOfBoundGrants } from '../grant/grant.repository.ts';

/**
 * The statements that end sessions, each for the sessions of one brand, whose rows are locked. `end` runs them one
 * after another, and tells of the sessions before; a unit of work of the engine (`session.adapter.ts`) writes them as one statement.
 */
export const sessionEnding = {
  logouts: logoutsOfSessions,
  grants: deletionOfBoundGrants,
  /** Last: the other statements read the rows of the sessions. */
  sessions: deletionOfSessions,
} as const;
