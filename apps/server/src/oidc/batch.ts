/** How many statements of one kind are under way before what is asked for next waits for one of them. */
const UNDER_WAY = 2;
/** Keys of one statement. */
const LIMIT = 100;

interface Asker<Row> {
  key: string;
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

  const answer = async (askers: ReadonlyMap<string, Asker<Row>>) => {
    try {
      const found = new Map((await load([...askers.keys()])).map((row) => [keyOf(row), row]));
      for (const { key, resolve } of askers.values()) resolve(found.get(key));
    } catch (error) {
      for (const { reject } of askers.values()) reject(error);
    }
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

  const proceed = () => {
    while (underWay < UNDER_WAY && waiting.length > 0) {
      underWay += 1;
      void answer(take()).then(() => {
        underWay -= 1;
        proceed();
      });
    }
  };

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      proceed();
    });
};
