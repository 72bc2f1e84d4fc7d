import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { DeliveryError } from './message.ts';

const isFault = (error: unknown) => !(error instanceof DeliveryError && error.failure === 'never');

const create = () => {
  const clock = { ms: 0 };
  const changes: boolean[] = [];
  const breaker = createCircuitBreaker({
    strikes: 3,
    patienceMs: 20,
    pauseMs: 1_000,
    now: () => clock.ms,
    onChange: (open) => changes.push(open),
  });
  const fail = (error: unknown = new DeliveryError('later', 'down')) =>
    breaker.watch(() => Promise.reject(error), isFault).catch(() => undefined);
  const succeed = () => breaker.watch(() => Promise.resolve(), isFault);
  return { clock, changes, breaker, fail, succeed };
};

test('three failures in a row open it; a success in between restarts the count', async () => {
  const { breaker, fail, succeed, changes } = create();
  for (const step of [fail, fail, succeed, fail, fail]) await step();
  expect(breaker.allow(8, 0)).toBe(8);
  await fail();
  expect(breaker.allow(8, 0)).toBe(0);
  expect(breaker.closedForMs()).toBe(1_000);
  expect(changes).toEqual([true]);
});

test('an attempt without an answer opens it before the attempt ends', async () => {
  const { breaker } = create();
  let end = () => {};
  const attempt = breaker.watch(() => new Promise<void>((resolve) => (end = resolve)), isFault);
  await expect.poll(() => breaker.closedForMs()).toBe(1_000);
  end();
  await attempt;
  expect(breaker.closedForMs()).toBe(0);
});

test('after the pause one attempt is let through; its failure doubles the pause, its success closes the circuit', async () => {
  const { breaker, clock, fail, succeed, changes } = create();
  for (const step of [fail, fail, fail]) await step();
  clock.ms = 1_000;
  expect(breaker.allow(8, 0)).toBe(1);
  expect(breaker.allow(8, 1)).toBe(0);
  await fail();
  expect(breaker.closedForMs()).toBe(2_000);
  clock.ms = 3_000;
  await succeed();
  expect(breaker.allow(8, 3)).toBe(8);
  expect(changes).toEqual([true, false]);
});

test('the pause does not grow beyond eight times its length', async () => {
  const { breaker, clock, fail } = create();
  for (let count = 0; count < 20; count += 1) {
    await fail();
    clock.ms += breaker.closedForMs();
  }
  await fail();
  expect(breaker.closedForMs()).toBe(8_000);
});

test('a refused message shows that the gateway works', async () => {
  const { breaker, fail } = create();
  for (let count = 0; count < 9; count += 1) await fail(new DeliveryError('never', 'no such number'));
  await fail();
  await wait(1);
  expect(breaker.allow(8, 0)).toBe(8);
});
