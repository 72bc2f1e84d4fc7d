import { randomBytes } from 'node:crypto';
import type { IntrospectionResponse, UserInfoResponse } from 'openid-client';
import type { PendingSignIn, Tokens } from './authorization-server.ts';
import type { Exchange } from './exchanges.ts';
import type { Problem } from './problem.ts';

export interface SignIn {
  tokens: Tokens;
  userinfo?: UserInfoResponse | undefined;
  introspection?: IntrospectionResponse | undefined;
  refreshes: number;
}

/** The outcome of the last action; shown once. */
export type Outcome = { notice: string } | { problem: Problem };

/** The state of one browser. */
export interface Visitor {
  /** Authorization requests under way, by their state: several tabs may send one at once. */
  pending: Map<string, PendingSignIn>;
  signIn?: SignIn | undefined;
  signOutState?: string | undefined;
  outcome?: Outcome | undefined;
  /** What the last action sent and received; of a sign-in, from its authorization request on. */
  exchanges?: Exchange[] | undefined;
}

export interface Visitors {
  find(id: string | undefined): Visitor | undefined;
  /** Stores the visitor, a new visitor by default, under a new id, and returns that id. */
  admit(visitor?: Visitor, formerId?: string): { id: string; visitor: Visitor };
}

const maxVisitors = 1000;
const maxPending = 10;

/** Keeps visitors in memory; a new visitor replaces the visitor seen least recently. */
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

/** Stores an authorization request; beyond the limit the oldest is dropped. */
export function rememberPending(visitor: Visitor, pending: PendingSignIn): void {
  visitor.pending.set(pending.state, pending);
  dropOldest(visitor.pending, maxPending);
}

/** Removes and returns the authorization request of that state: its response is accepted once. */
export function takePending(visitor: Visitor, state: string): PendingSignIn | undefined {
  const pending = visitor.pending.get(state);
  visitor.pending.delete(state);
  return pending;
}

/** Removes and returns the outcome, so that it is shown once. */
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
