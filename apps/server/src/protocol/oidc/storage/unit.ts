import type { Kysely } from 'kysely';
import type { AdapterPayload } from 'oidc-provider';
import type { RequestFacts } from '../../../ground/browser/request-facts.ts';
import type { Database } from '../../../ground/db/database.ts';
import { currentWatch, type OutageWatch, watchOutages } from '../../../ground/db/outage.ts';
import type { Values } from '../../../ground/db/statement.ts';
import type { InteractionRow } from '../../../link/oidc-model/interaction.table.ts';
import type { AccountFacts } from '../../../person/account/account-facts.repository.ts';
import type { SessionRow } from '../../../person/session/session.table.ts';
import type { EngineError } from '../engine-error.ts';
import { keyOf, type Row } from './row.ts';
import { toWrite, type Write, type WriteKind, type WriteStatement } from './write.ts';

/** What a unit makes of a grant: see `queueSlide`. */
interface GrantUse {
  lastToken: number;
  linked: boolean;
  /** One of them is the first refresh token of a family. */
  begins: boolean;
  /** In seconds since the epoch, and in seconds. */
  term: { start: number; seconds: number } | undefined;
  refreshed: boolean;
  googleTokenHash: string | null;
}

/** What a unit has read, by id. A row that one statement fetched so serves the engine's later look-ups. */
interface Memo {
  readonly account: Map<string, AccountFacts>;
  /** The payload, or undefined for a grant that does not exist. */
  readonly grant: Map<string, Promise<AdapterPayload | undefined>>;
  /** The scopes of a grant, as they were read: `authorization_grant.scope`. */
  readonly scope: Map<string, string>;
  readonly interaction: Map<string, InteractionRow>;
  /** By uid. The id is undefined for a session that was found by its uid. */
  readonly session: Map<string, { id: string | undefined; row: SessionRow }>;
  /** By the grant's id: the latest end of its tokens in this unit, whether one of them is a refresh token, and its use. */
  readonly slide: Map<string, GrantUse>;
}

/** Queues a write in place of an earlier one to the same row. */
type Queue = <V extends Values<V>>(row: Row, statement: WriteStatement<V>, values: V) => void;

/**
 * The reads and writes of one request. The unit keeps what was read. Writes queue, and `flush` writes them in one
 * statement: all of them or none.
 */
export interface UnitOfWork extends OutageWatch {
  readonly facts: RequestFacts;
  readonly memo: Memo;
  /** Queue a write of that kind: see `WriteKind`. */
  readonly spend: Queue;
  readonly hold: Queue;
  readonly end: Queue;
  readonly issue: Queue;
  readonly rotate: Queue;
  readonly keep: Queue;
  readonly renew: Queue;
  readonly require: Queue;
  readonly lock: Queue;
  /** As `keep`, with values that are read when the unit is flushed. */
  keepLate<V extends Values<V>>(row: Row, statement: WriteStatement<V>, read: () => V): void;
  /** Removes a write from the queue. */
  drop(row: Row): void;
  /** Whether the unit deletes the row, with all that hangs on it. */
  isEnding(row: Row): boolean;
  /** Empties the queue and returns it, in its order. */
  takeWrites(): Write[];
  /** The uid of the session that a new grant hangs on. */
  sessionUid: string | undefined;
  /** The browser's session cookie stays as it is, whatever the engine sets. */
  leavesCookie: boolean;
  /** Finds out whether the unit is written, after its answer was lost; undefined where no row can show it. */
  proof: ((db: Kysely<Database>) => Promise<boolean>) | undefined;
  /** Notes for the events that follow once the unit is written. */
  noted: {
    /** The engine's own error, which the answer may not show. */
    refusal?: EngineError;
    /** The engine ended the family of the refresh token that was presented. */
    familyEnded?: boolean;
    /** A client revoked a token, and the grant of the token ends. */
    grantRevoked?: boolean;
    /**
     * Why a refresh token that is refused, or not found to be revoked, may be good later. `suspended`: its account is disabled, and its link waits.
     * `moving`: it is unknown, and an import of links is not complete.
     * `elsewhere`: it is of a brand that is not served, or the database has no link of its client.
     * `clock`: it has ended by a clock that may be wrong.
     * `keys`: those that verify an assertion cannot be fetched.
     */
    postponed?: 'suspended' | 'moving' | 'elsewhere' | 'clock' | 'keys';
    /** The client asked whether there is an account, and was answered without a token. */
    onlyAsked?: boolean;
    /** Why the secret of the client was refused. */
    refusedSecret?: 'wrong' | 'ended';
    /** The code that was presented was spent so long ago that its tokens do not end with it any more. */
    lateCode?: boolean;
  };
  /** The error of a database that could not be reached: the answer is 503, whatever the engine made of it. */
  outage: unknown;
}

/** A class, since every request has a unit: what units share is made once. */
class Unit implements UnitOfWork {
  readonly #readFacts: () => RequestFacts;
  #writes = new Map<string, Write>();
  readonly memo: Memo = {
    account: new Map(),
    grant: new Map(),
    scope: new Map(),
    interaction: new Map(),
    session: new Map(),
    slide: new Map(),
  };
  sessionUid: string | undefined;
  leavesCookie = false;
  proof: UnitOfWork['proof'];
  noted: UnitOfWork['noted'] = {};
  outage: unknown;

  constructor(readFacts: () => RequestFacts) {
    this.#readFacts = readFacts;
  }

  get facts() {
    return this.#readFacts();
  }

  #queue<V extends Values<V>>(kind: WriteKind, row: Row, statement: WriteStatement<V>, read: () => V): void {
    this.#writes.set(keyOf(row), toWrite(kind, statement, read));
  }

  spend<V extends Values<V>>(row: Row, statement: WriteStatement<V>, values: V): void {
    this.#queue('spend', row, statement, () => values);
  }

  hold<V extends Values<V>>(row: Row, statement: WriteStatement<V>, values: V): void {
    this.#queue('hold', row, statement, () => values);
  }

  end<V extends Values<V>>(row: Row, statement: WriteStatement<V>, values: V): void {
    this.#queue('end', row, statement, () => values);
  }

  issue<V extends Values<V>>(row: Row, statement: WriteStatement<V>, values: V): void {
    this.#queue('issue', row, statement, () => values);
  }

  rotate<V extends Values<V>>(row: Row, statement: WriteStatement<V>, values: V): void {
    this.#queue('rotate', row, statement, () => values);
  }

  keep<V extends Values<V>>(row: Row, statement: WriteStatement<V>, values: V): void {
    this.#queue('keep', row, statement, () => values);
  }

  renew<V extends Values<V>>(row: Row, statement: WriteStatement<V>, values: V): void {
    this.#queue('renew', row, statement, () => values);
  }

  require<V extends Values<V>>(row: Row, statement: WriteStatement<V>, values: V): void {
    this.#queue('require', row, statement, () => values);
  }

  lock<V extends Values<V>>(row: Row, statement: WriteStatement<V>, values: V): void {
    this.#queue('lock', row, statement, () => values);
  }

  keepLate<V extends Values<V>>(row: Row, statement: WriteStatement<V>, read: () => V): void {
    this.#queue('keep', row, statement, read);
  }

  drop(row: Row): void {
    this.#writes.delete(keyOf(row));
  }

  isEnding(row: Row): boolean {
    return this.#writes.get(keyOf(row))?.kind === 'end';
  }

  takeWrites(): Write[] {
    const taken = [...this.#writes.values()];
    this.#writes.clear();
    return taken;
  }
}

/** @param readFacts is called when a write needs the facts, which most requests do not. */
export const createUnitOfWork = (readFacts: () => RequestFacts): UnitOfWork => new Unit(readFacts);

/** The unit is found as the watch that it is: each store of its own would cost every request its share. */
export const currentUnit = (): UnitOfWork | undefined => {
  const watch = currentWatch();
  return watch instanceof Unit ? watch : undefined;
};

export const runInUnit = <T>(unit: UnitOfWork, work: () => Promise<T>): Promise<T> =>
  watchOutages(unit, work);
