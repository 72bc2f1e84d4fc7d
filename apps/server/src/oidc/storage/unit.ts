import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely } from 'kysely';
import type { AdapterPayload } from 'oidc-provider';
import type { AccountFacts } from '../../account/account-facts.repository.ts';
import type { RequestFacts } from '../../browser/request-facts.ts';
import type { RefreshMode } from '../../client/policy-metadata.ts';
import type { Database } from '../../db/database.ts';
import { type OutageWatch, watchOutages } from '../../db/outage.ts';
import type { InteractionRow } from '../../oidc-model/interaction.table.ts';
import type { SessionRow } from '../../session/session.table.ts';
import { keyOf, type Row } from './row.ts';
import type { Values } from './statement.ts';
import { toWrite, type Write, type WriteKind, type WriteStatement } from './write.ts';

/** What a unit has read, by id, so that what one statement fetched serves the engine's later look-ups. */
interface Memo {
  readonly account: Map<string, AccountFacts>;
  /** Undefined for a grant that is not there. */
  readonly grant: Map<string, Promise<AdapterPayload | undefined>>;
  readonly interaction: Map<string, InteractionRow>;
  /** By uid; the id of a session that was found by its uid is not known. */
  readonly session: Map<string, { id: string | undefined; row: SessionRow }>;
  /** By the grant's id: how long the grant has to last by now. */
  readonly slide: Map<string, { lastToken: number; linked: boolean }>;
}

/** Queues a write; an earlier one of the same row is forgotten. */
type Queue = <V extends Values<V>>(row: Row, statement: WriteStatement<V>, values: V) => void;

/** The refresh token that was presented, before it is known whether it rotates. */
interface Rotation {
  predecessor: string;
  mode: RefreshMode;
  /** The token's successor, sealed for who holds the token. */
  successor?: { sealedValue: string };
}

/**
 * The reads and writes of one request. Reads are kept; writes queue and go in one statement, so that they happen
 * together or not at all.
 */
export interface UnitOfWork extends OutageWatch {
  readonly facts: RequestFacts;
  readonly memo: Memo;
  /** What each kind of write does, `WriteKind` says. */
  readonly spend: Queue;
  readonly hold: Queue;
  readonly end: Queue;
  readonly issue: Queue;
  readonly rotate: Queue;
  readonly keep: Queue;
  readonly require: Queue;
  readonly lock: Queue;
  /** As `keep`, with values that are known when the unit is flushed. */
  keepLate<V extends Values<V>>(row: Row, statement: WriteStatement<V>, read: () => V): void;
  /** Forgets a write that was queued. */
  drop(row: Row): void;
  /** Whether the row is about to go, with all that hangs on it. */
  isEnding(row: Row): boolean;
  /** Hands over what was queued, in the order in which it was. */
  takeWrites(): Write[];
  /** The session a new grant hangs on. */
  sessionUid: string | undefined;
  /** The engine would have kept a session of nobody's; the browser is not told of it either. */
  sessionless: boolean;
  rotation: Rotation | undefined;
  /** Finds out whether the unit was written, once the database was lost over it; undefined where no row shows it. */
  proof: ((db: Kysely<Database>) => Promise<boolean>) | undefined;
  /** What becomes an event once all is written. */
  noted: {
    /** The engine's own error, whatever the answer says of it. */
    refusal?: unknown;
    /** The engine ended the family of the refresh token that was presented. */
    familyEnded?: boolean;
    /** A code was presented that was spent longer ago than anything hangs on. */
    lateCode?: boolean;
  };
  /** A database that could not be reached: the answer is 503 whatever the engine made of it. */
  outage: unknown;
}

const createQueues = (writes: Map<string, Write>) => {
  const queue =
    (kind: WriteKind): Queue =>
    (row, statement, values) =>
      writes.set(
        keyOf(row),
        toWrite(kind, statement, () => values),
      );
  return {
    spend: queue('spend'),
    hold: queue('hold'),
    end: queue('end'),
    issue: queue('issue'),
    rotate: queue('rotate'),
    keep: queue('keep'),
    require: queue('require'),
    lock: queue('lock'),
  };
};

/** @param readFacts is asked when something is written that people see later, which most requests do not. */
export const createUnitOfWork = (readFacts: () => RequestFacts): UnitOfWork => {
  const writes = new Map<string, Write>();
  return {
    get facts() {
      return readFacts();
    },
    memo: {
      account: new Map(),
      grant: new Map(),
      interaction: new Map(),
      session: new Map(),
      slide: new Map(),
    },
    ...createQueues(writes),
    keepLate: (row, statement, read) => writes.set(keyOf(row), toWrite('keep', statement, read)),
    drop: (row) => writes.delete(keyOf(row)),
    isEnding: (row) => writes.get(keyOf(row))?.kind === 'end',
    takeWrites: () => {
      const taken = [...writes.values()];
      writes.clear();
      return taken;
    },
    sessionUid: undefined,
    sessionless: false,
    rotation: undefined,
    proof: undefined,
    noted: {},
    outage: undefined,
  };
};

const storage = new AsyncLocalStorage<UnitOfWork>();

export const currentUnit = (): UnitOfWork | undefined => storage.getStore();

export const runInUnit = <T>(unit: UnitOfWork, work: () => Promise<T>): Promise<T> =>
  storage.run(unit, () => watchOutages(unit, work));
