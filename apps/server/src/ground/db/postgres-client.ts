import pg from 'pg';
import { currentTracer, traced } from '../trace/trace.ts';
import { isConflict, retry } from './conflict.ts';
import { currentLane } from './lane.ts';
import { isOutage, noteOutage, OutageError } from './outage.ts';
import { beginWaiting, leftToBegin, leftToEnd, tooSlow } from './waiting-time.ts';

/** Shapes of statements that one connection keeps prepared; the server has far fewer. */
const PREPARED_LIMIT = 500;

/** The verb of a statement and its first table, such as `select access_token`: for spans, which show no values. */
const statementName = (text: string): string => {
  const [, verb = 'statement'] = /^\s*(\w+)/.exec(text) ?? [];
  const [, table] = /\b(?:from|into|update)\s+"?(\w+)/i.exec(text) ?? [];
  return [verb, table].filter(Boolean).join(' ').toLowerCase();
};

/** What ends a transaction, and so gives its connection and its locks back. */
const ENDING = /^\s*(?:commit|rollback)\b/i;

/** Names the statements of one database: each of its connections knows a statement by the same name. */
export const createStatementNames = () => {
  const names = new Map<string, string>();
  /** Undefined for a statement that is one too many to be kept. */
  return (text: string): string | undefined => {
    const known = names.get(text);
    if (known || names.size >= PREPARED_LIMIT) return known;
    const name = `candela_${names.size}`;
    names.set(text, name);
    return name;
  };
};

/** SQLSTATE of "cached plan must not change result type": a table has changed since the statement was prepared. */
const PLAN_OUTDATED = '0A000';

export interface ClientOptions extends pg.ClientConfig {
  /** Undefined behind a pooler in transaction mode, where the next statement may reach another connection. */
  nameOf: ReturnType<typeof createStatementNames> | undefined;
  /** Whether a server that is found read-only is of no use: another host may take writes. */
  mustWrite: boolean;
  /** A statement without an answer after so long ends together with its connection. */
  answerMs: number;
  /** Is called when a connection is of no more use: others that were not heard since `since` may be of none either. */
  onSilence(since: number): void;
}

/**
 * One connection. Statements with parameters are prepared: PostgreSQL parses and plans each once. The connection of
 * a statement without an answer is ended; pg's own `query_timeout` would keep it, busy for ever.
 */
export class PostgresClient extends pg.Client {
  readonly #options: ClientOptions;
  /** Since when a statement is waited for that has a deadline, by `performance.now()`. */
  #askedAt: number | undefined;
  /** One timer for all statements: each statement that begins puts it off. It means nothing while none runs. */
  readonly #deadline: NodeJS.Timeout;
  /** When the server last said something, by `performance.now()`. */
  heardAt = performance.now();
  /** Not to be used again. */
  isSpent = false;

  constructor(options: ClientOptions) {
    super(options);
    this.#options = options;
    this.#deadline = setTimeout(() => this.#endSilence(), options.answerMs).unref();
  }

  /** Ends the connection at once, and the statements that run on it. */
  abandon(error?: Error): void {
    this.isSpent = true;
    clearTimeout(this.#deadline);
    this.connection.stream.destroy(error);
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg's query has a dozen overloads, and all but one pass through.
  override query(text: any, values?: any, callback?: any): any {
    if (typeof text !== 'string' || callback) return super.query(text, values, callback);
    // A statement that is a transaction of its own is sent again while others are in its way.
    const ask = () => this.#ask(text, values ?? [], this.getTransactionStatus() === 'I');
    if (!currentTracer()) return ask();
    return traced(statementName(text), 'client', { 'db.system.name': 'postgresql' }, ask);
  }

  /** Every request waits for this: where nothing is in the way it costs no promise beside pg's own. */
  async #ask(text: string, values: unknown[], mayRetry: boolean): Promise<pg.QueryResult> {
    const name = values.length > 0 ? this.#options.nameOf?.(text) : undefined;
    this.#startDeadline();
    const endWaiting = beginWaiting();
    let cut: NodeJS.Timeout | undefined;
    try {
      cut = this.#limit(text);
      return await (name ? this.#sendNamed(name, text, values) : super.query(text, values));
    } catch (error) {
      // A conflict is no outage until it was tried again in vain.
      if (!isConflict(error)) noteOutage(error);
      this.isSpent ||= isLost(error);
      if (this.#options.mustWrite && isReadOnly(error)) this.#leaveReadOnly();
      if (mayRetry) return retry(error, () => this.#ask(text, values, false));
      throw error;
    } finally {
      clearTimeout(cut);
      endWaiting();
      this.#askedAt = undefined;
      if (!this.isSpent) this.heardAt = performance.now();
    }
  }

  /** Keeps a statement within what is left to its request. Most have more left than a connection may be silent. */
  #limit(text: string): NodeJS.Timeout | undefined {
    if (leftToBegin() <= 0 && !ENDING.test(text)) throw tooSlow();
    const left = leftToEnd();
    return left < this.#options.answerMs ? setTimeout(() => this.abandon(tooSlow()), left) : undefined;
  }

  #sendNamed(name: string, text: string, values: unknown[]): Promise<pg.QueryResult> {
    return super.query({ name, text, values }).catch((error: { code?: string }) => {
      if (error.code !== PLAN_OUTDATED) throw error;
      this.isSpent = true;
      // Inside a transaction the earlier statements are lost with the connection.
      if (this.getTransactionStatus() !== 'I') throw error;
      return super.query(text, values);
    });
  }

  #leaveReadOnly(): void {
    this.isSpent = true;
    this.#options.onSilence(performance.now());
  }

  #startDeadline(): void {
    if (currentLane() === 'patient') return;
    this.#askedAt = performance.now();
    this.#deadline.refresh();
  }

  #endSilence(): void {
    const since = this.#askedAt;
    if (since === undefined || this.isSpent) return;
    const { answerMs, onSilence } = this.#options;
    this.abandon(new OutageError(`the database did not answer within ${answerMs} ms`));
    onSilence(since);
  }
}

/** SQLSTATE read_only_sql_transaction. */
const isReadOnly = (error: unknown): boolean => (error as { code?: string }).code === '25006';

/** An outage that the server itself reports leaves the connection usable. */
const isLost = (error: unknown): boolean =>
  isOutage(error) && !/^(40|53|55|57014|25006|25P02)/.test(String((error as { code?: string }).code));
