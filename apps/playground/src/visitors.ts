import { randomBytes } from 'node:crypto';
import type { IntrospectionResponse, UserInfoResponse } from 'openid-client';
import type { PendingSignIn, Tokens } from './authorization-server.ts';
import type { Problem } from './problem.ts';

export interface SignIn {
  tokens: Tokens;
  userinfo?: UserInfoResponse | undefined;
  introspection?: IntrospectionResponse | undefined;
  refreshes: number;
}

/** How the last action ended; shown once. */
export type Outcome = { notice: string } | { problem: Problem };

/** The state of one browser. */
export interface Visitor {
  /** Authorization requests under way by their state: several tabs may ask at once. */
  pending: Map<string, PendingSignIn>;
  signIn?: SignIn | undefined;
  signOutState?: string | undefined;
  outcome?: Outcome | undefined;
}

export interface Visitors {
  find(id: string | undefined): Visitor | undefined;
  /** Files the visitor, a new one unless given, under a new id and returns that id. */
  admit(visitor?: Visitor, formerId?: string): { id: string; visitor: Visitor };
}

const maxVisitors = 1000;
const maxPending = 10;

/** Keeps visitors in memory; new visitors replace those who were not seen for longest. */
export function createVisitors(): Visitors {
  const byId = new Map<string, Visitor>();

  return {
    find(id) {
      if (id === undefined) return undefined;
      const visitor = byId.get(id);
      if (visitor) {
        byId.delete(id);
        byId.set(id, visitor);
      }
      return visitor;
    },

    admit(visitor = { pending: new Map() }, formerId) {
      if (formerId !== undefined) byId.delete(formerId);
      const id = randomBytes(24).toString('base64url');
      byId.set(id, visitor);
      dropOldest(byId, maxVisitors);
      return { id, visitor };
    },
  };
}

/** Remembers an authorization request; of too many, the oldest is forgotten. */
export function rememberPending(visitor: Visitor, pending: PendingSignIn): void {
  visitor.pending.set(pending.state, pending);
  dropOldest(visitor.pending, maxPending);
}

/** Takes the authorization request of that state: an answer is accepted once. */
export function takePending(visitor: Visitor, state: string): PendingSignIn | undefined {
  const pending = visitor.pending.get(state);
  visitor.pending.delete(state);
  return pending;
}

/** Takes the outcome, so that it is shown once. */
export function takeOutcome(visitor: Visitor): Outcome | undefined {
  const { outcome } = visitor;
  visitor.outcome = undefined;
  return outcome;
}

function dropOldest(map: Map<string, unknown>, limit: number): void {
  for (const key of map.keys()) {
    if (map.size <= limit) return;
    map.delete(key);
  }
}
