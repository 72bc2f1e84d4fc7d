import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWaitingPolls, type WaitingPolls } from './waiting-polls.ts';

const LONG_MS = 20_000;

let polls: WaitingPolls;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  polls = createWaitingPolls();
});
afterEach(() => {
  polls.close();
  vi.useRealTimers();
});

/** Starts polls of a stream, and answers the list of those that ended: which one, and whether it may wait on. */
const start = (count: number, streamId = 'stream') => {
  const ended: [number, boolean][] = [];
  for (let index = 0; index < count; index += 1)
    void polls.wait(streamId, LONG_MS).then((mayWait) => ended.push([index, mayWait]));
  return ended;
};

test('four polls of a stream wait beside each other, and all hear of a signal', async () => {
  const ended = start(4);
  const others = start(1, 'another');
  await vi.advanceTimersByTimeAsync(LONG_MS - 1);
  expect(ended).toEqual([]);
  polls.wake('stream');
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual([0, 1, 2, 3].map((index) => [index, true]));
  expect(others).toEqual([]);
});

test('of more the oldest is let go, and has waited for a second', async () => {
  const ended = start(6);
  await vi.advanceTimersByTimeAsync(999);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(LONG_MS - 1_000);
  expect(ended).toEqual([
    [0, false],
    [1, false],
  ]);
});

test.each([2, 6])('%i receivers that poll again at once do not chase each other', async (count) => {
  let answered = 0;
  let goesOn = true;
  const poll = async () => {
    while (goesOn) {
      await polls.wait('stream', LONG_MS);
      answered += 1;
    }
  };
  const all = Promise.all(Array.from({ length: count }, poll));
  await vi.advanceTimersByTimeAsync(8_000);
  expect(answered).toBeLessThanOrEqual(count <= 4 ? 0 : count * 8);
  goesOn = false;
  polls.close();
  await all;
});

test('where too many wait in the process, others wait for a second', async () => {
  for (let stream = 0; stream < 64; stream += 1) start(4, `stream ${stream}`);
  const ended = start(1, 'late');
  await vi.advanceTimersByTimeAsync(999);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toEqual([[0, false]]);
});

test('a process that stops lets all go, and later ones at once', async () => {
  const ended = start(2);
  polls.close();
  expect(await polls.wait('stream', LONG_MS)).toBe(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual([
    [0, false],
    [1, false],
  ]);
});
