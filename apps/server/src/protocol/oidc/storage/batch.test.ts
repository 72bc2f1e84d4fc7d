import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isOutage } from '../../../ground/db/outage.ts';
import { createBatch } from './batch.ts';

interface Row {
  key: string;
}

/** A table whose statements end when the test says so. */
const slowTable = () => {
  const statements: { keys: readonly string[]; answer(): void; fail(error: Error): void }[] = [];
  const find = createBatch<Row>(
    (keys) =>
      new Promise((resolve, reject) =>
        statements.push({
          keys,
          answer: () => resolve(keys.filter((key) => key !== 'missing').map((key) => ({ key }))),
          fail: reject,
        }),
      ),
    ({ key }) => key,
  );
  return { statements, find };
};

test('callers of one turn share a statement, and while two are under way later callers share the next', async () => {
  const { statements, find } = slowTable();
  const answers = ['a', 'b'].map(find);
  await setImmediate();
  answers.push(find('c'));
  await setImmediate();
  for (const key of ['d', 'missing']) answers.push(find(key));
  await setImmediate();
  answers.push(find('e'));
  expect(statements.map(({ keys }) => keys)).toEqual([['a', 'b'], ['c']]);
  statements[0]?.answer();
  await setImmediate();
  expect(statements.map(({ keys }) => keys)).toEqual([['a', 'b'], ['c'], ['d', 'missing', 'e']]);
  statements[1]?.answer();
  statements[2]?.answer();
  expect(await Promise.all(answers)).toEqual([
    { key: 'a' },
    { key: 'b' },
    { key: 'c' },
    { key: 'd' },
    undefined,
    { key: 'e' },
  ]);
});

test('two callers of one key get a row each', async () => {
  const { statements, find } = slowTable();
  const answers = [find('same'), find('same')];
  await setImmediate();
  for (const statement of statements) statement.answer();
  const [one, other] = await Promise.all(answers);
  expect(one).toEqual(other);
  expect(one).not.toBe(other);
});

test('a failing statement fails for its own callers only, and the next statement is sent', async () => {
  const { statements, find } = slowTable();
  const failing = find('a');
  await setImmediate();
  const answered = find('b');
  await setImmediate();
  const later = find('c');
  statements[0]?.fail(new Error('out'));
  await expect(failing).rejects.toThrow('out');
  await setImmediate();
  for (const statement of statements) statement.answer();
  expect(await answered).toEqual({ key: 'b' });
  expect(await later).toEqual({ key: 'c' });
});

describe('while statements hang', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test('they delay later callers for a second, and no longer', async () => {
    const { statements, find } = slowTable();
    for (const key of ['a', 'b']) {
      void find(key);
      await vi.advanceTimersByTimeAsync(0);
    }
    const later = find('c');
    await vi.advanceTimersByTimeAsync(999);
    expect(statements).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(statements.map(({ keys }) => keys)).toEqual([['a'], ['b'], ['c']]);
    statements[2]?.answer();
    expect(await later).toEqual({ key: 'c' });
  });

  test('a caller without a statement after two seconds, or without an answer after four more, is refused as in an outage', async () => {
    const { statements, find } = slowTable();
    // One statement never has the same key twice: two statements begin at once, and then two a second.
    const askers = Array.from({ length: 20 }, () => find('same').catch((error: unknown) => error));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(statements).toHaveLength(4);
    expect(isOutage(await askers.at(-1))).toBe(true);
    await vi.advanceTimersByTimeAsync(4_000);
    expect((await Promise.all(askers)).every(isOutage)).toBe(true);
  });
});
