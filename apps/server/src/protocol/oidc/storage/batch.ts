import { runInLane } from '../../../ground/db/lane.ts';
import { OutageError } from '../../../ground/db/outage.ts';

/** How many statements of a batch may be under way at once; further keys wait for one of them to end. */
const UNDER_WAY = 2;
/** How many keys one statement looks up at most. */
const LIMIT = 100;
/** A statement that takes longer no longer counts as under way: its connection may be dead while others work. */
const STUCK_MS = 1_000;
/** How long a caller waits for its statement to begin, and how long for the answer from then on. */
const BEGIN_MS = 2_000;
const ANSWER_MS = 4_000;

/** How rows are loaded by their keys. */
interface LookUp<Row> {
  load(keys: readonly string[]): Promise<readonly Row[]>;
  keyOf(row: Row): string;
}

interface Asker<Row> {
  key: string;
  /** When it began to wait, by `performance.now()`. */
  since: number;
  resolve(row: Row | undefined): void;
  reject(error: unknown): void;
}

type Askers<Row> = ReadonlyMap<string, Asker<Row>>;

/** Runs the statement of some callers. It calls `makeWay` when it is stuck, and when it ends. */
const runStatement = <Row>(askers: Askers<Row>, { load, keyOf }: LookUp<Row>, makeWay: () => void) => {
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

/** The callers whose statement has not begun, in their order. */
const createWaiting = <Row>() => {
  let waiting: Asker<Row>[] = [];
  return {
    isEmpty: () => waiting.length === 0,
    add: (asker: Asker<Row>) => void waiting.push(asker),

    /** Takes the callers of the next statement. Two callers of one key never share a row, so the second waits. */
    take: (): Askers<Row> => {
      const askers = new Map<string, Asker<Row>>();
      waiting = waiting.filter((asker) => {
        if (askers.size === LIMIT || askers.has(asker.key)) return true;
        askers.set(asker.key, asker);
        return false;
      });
      return askers;
    },

    refuseLate: () => {
      const late = performance.now() - BEGIN_MS;
      if (!waiting[0] || waiting[0].since > late) return;
      const refused = waiting.filter(({ since }) => since <= late);
      waiting = waiting.filter(({ since }) => since > late);
      for (const { reject } of refused) reject(new OutageError(`no look-up began within ${BEGIN_MS} ms`));
    },
  };
};

/**
 * Creates a look-up of rows by key that answers many callers by one statement. Callers that ask in one turn of the event
 * loop share a statement; while few statements are under way it begins at the end of the turn, else it waits for one of
 * them to end, and those who ask meanwhile share it too. A statement always begins after its callers asked, so no caller
 * gets an answer older than its question.
 * @throws OutageError in the look-up, where no statement begins or answers in time.
 */
export const createBatch = <Row>(
  load: LookUp<Row>['load'],
  keyOf: LookUp<Row>['keyOf'],
): ((key: string) => Promise<Row | undefined>) => {
  const waiting = createWaiting<Row>();
  let underWay = 0;
  let isDue = false;

  const begin = () => {
    waiting.refuseLate();
    while (underWay < UNDER_WAY && !waiting.isEmpty()) {
      underWay += 1;
      let isUnderWay = true;
      const makeWay = () => {
        if (!isUnderWay) return;
        isUnderWay = false;
        underWay -= 1;
        begin();
      };
      runStatement(waiting.take(), { load, keyOf }, makeWay);
    }
  };

  const beginSoon = () => {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      begin();
    });
  };

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.add({ key, since: performance.now(), resolve, reject });
      beginSoon();
    });
};
