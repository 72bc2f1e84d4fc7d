/** What is due, in batches. */
interface Due<Item> {
  /** How many a call of `list` answers at most. */
  batch: number;
  /** Lists what is due, but for those of these ids. */
  list(limit: number, except: readonly string[]): Promise<Item[]>;
  idOf(item: Item): string;
  /** Does one; answers what it adds to the sum. */
  work(item: Item): Promise<number>;
}

/**
 * Works off all that is due, and answers the sum. One that fails does not hold up the others; the next call tries it
 * again.
 * @throws the first failure, after the others are done
 */
export const workOff = async <Item>({ batch, list, idOf, work }: Due<Item>): Promise<number> => {
  const failures = new Map<string, unknown>();
  let sum = 0;
  for (let found = batch; found === batch && failures.size < batch; ) {
    const items = await list(batch, [...failures.keys()]);
    for (const item of items)
      sum += await work(item).catch((error: unknown) => {
        failures.set(idOf(item), error);
        return 0;
      });
    found = items.length;
  }
  for (const failure of failures.values()) throw failure;
  return sum;
};
