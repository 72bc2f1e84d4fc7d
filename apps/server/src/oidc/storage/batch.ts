import { runInLane } from '../../db/lane.ts';
import { OutageError } from '../../db/outage.ts';

/** How many statements of one kind are under way before what is asked for next waits for one of them. */
const UNDER_WAY = 2;
/** Keys of one statement. */
const LIMIT = 100;
/** A statement that takes longer holds nobody up any more: its connection may be silent, and another one is not. */
const STUCK_MS = 1_000;
/** For how long somebody waits for a statement to begin, and then for its answer. */
const BEGIN_MS = 2_000;
const ANSWER_MS = 4_000;

interface Asker<Row> {
  key: string;
  /** By `performance.now()`. */
  since: number;
  resolve(row: Row | undefined): void;
  reject(error: unknown): void;
}

/**
 * Looks rows up by key, many askers in one statement: the first is answered by a statement of its own, and
 * who asks while enough are under way shares the next one. A statement begins after its askers asked, so
 * nobody is told less than the database knew by then.
 */
export const createBatch = <Row>(
  load: (keys: readonly string[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): ((key: string) => Promise<Row | undefined>) => {
  let waiting: Asker<Row>[] = [];
  let underWay = 0;

  /** Begins a statement. `makeWay` is called once or twice: when it is stuck, and when it is over. */
  const begin = (askers: ReadonlyMap<string, Asker<Row>>, makeWay: () => void) => {
    const refuse = (error: unknown) => {
      for (const { reject } of askers.values()) reject(error);
    };
    let late = setTimeout(() => {
      makeWay();
      late = setTimeout(
        () => refuse(new OutageError(`no look-up within ${ANSWER_MS} ms`)),
        ANSWER_MS - STUCK_MS,
      );
    }, STUCK_MS);
    const end = () => {
      clearTimeout(late);
      makeWay();
    };
    runInLane('reserved', () => load([...askers.keys()]))
      .then((rows) => {
        const found = new Map(rows.map((row) => [keyOf(row), row]));
        for (const { key, resolve } of askers.values()) resolve(found.get(key));
      }, refuse)
      .then(end);
  };

  /** Takes who shares a statement; who asks for the same key waits for another: rows are not shared. */
  const take = (): ReadonlyMap<string, Asker<Row>> => {
    const askers = new Map<string, Asker<Row>>();
    waiting = waiting.filter((asker) => {
      if (askers.size === LIMIT || askers.has(asker.key)) return true;
      askers.set(asker.key, asker);
      return false;
    });
    return askers;
  };

  const refuseLate = () => {
    const late = performance.now() - BEGIN_MS;
    if (!waiting[0] || waiting[0].since > late) return;
    const refused = waiting.filter(({ since }) => since <= late);
    waiting = waiting.filter(({ since }) => since > late);
    for (const { reject } of refused) reject(new OutageError(`no look-up began within ${BEGIN_MS} ms`));
  };

  const proceed = () => {
    refuseLate();
    while (underWay < UNDER_WAY && waiting.length > 0) {
      underWay += 1;
      let isUnderWay = true;
      const makeWay = () => {
        if (!isUnderWay) return;
        isUnderWay = false;
        underWay -= 1;
        proceed();
      };
      begin(take(), makeWay);
    }
  };

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, since: performance.now(), resolve, reject });
      proceed();
    });
};
