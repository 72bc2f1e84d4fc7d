import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { until } from '../../../testing/until.ts';
import type { Connection } from '../../ground/db/connect.ts';
import { OutageError } from '../../ground/db/outage.ts';
import { createLogger } from '../../ground/logger.ts';
import type { DeliveryPace } from './channel-queue.ts';
import { DeliveryError, type IdentifiedMessage, type Message, type MessageSender } from './message.ts';
import { createMessageQueue, type MessageQueue } from './message-queue.ts';

const secretKeys = ['a secret of thirty-two characters'];
const message: Message = {
  channel: 'sms',
  to: '+8613800138000',
  locale: 'en',
  purpose: 'login',
  code: '012345',
  text: '012345 is your code',
  brand: { name: 'Aurelia' },
};
const quick: Partial<DeliveryPace> = {
  pausesSeconds: [0.05],
  pollMs: 20,
  leaseSeconds: 5,
  breaker: { strikes: 3, patienceMs: 60, pauseMs: 300 },
};

/** A database that the test can make unreachable. */
const createAway = (db: Connection['db']) => {
  const database = {
    isAway: false,
    db: new Proxy(db, {
      get: (target, name) => {
        if (database.isAway) throw new OutageError('away');
        const value = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
  };
  return database;
};

describeOnDatabases('the queue of messages', (connection) => {
  const queues: MessageQueue[] = [];
  beforeEach(() => connection.db.deleteFrom('message').execute());
  afterEach(async () => {
    for (const queue of queues.splice(0)) await queue.close();
  });

  const create = (
    send: (message: IdentifiedMessage, count: number) => Promise<void> = async () => undefined,
    {
      isLocal = false,
      keys = secretKeys,
      ...pace
    }: Partial<DeliveryPace> & { isLocal?: boolean; keys?: string[] } = {},
    db = connection.db,
  ) => {
    const sent: IdentifiedMessage[] = [];
    const sender: MessageSender = {
      send: (one) => {
        sent.push(one);
        return send(one, sent.length);
      },
    };
    const queue = createMessageQueue({
      db,
      senders: { sms: { sender, isLocal }, email: { sender, isLocal } },
      secretKeys: keys,
      logger: createLogger('silent'),
      pace: { ...quick, ...pace },
    });
    queues.push(queue);
    return { queue, sent };
  };
  const rows = () => connection.db.selectFrom('message').selectAll().execute();
  const isEmpty = async () => (await rows()).length === 0;
  const down = () => Promise.reject(new DeliveryError('later', 'down'));
  const silence = (): Promise<void> => wait(2_000, undefined, { ref: false });

  test('a message is sent once and deleted from the database', async () => {
    const { queue, sent } = create();
    await queue.send(message);
    await until(isEmpty);
    expect(sent).toEqual([{ ...message, id: expect.any(String) }]);
  });

  test('VC12: a message that stands for one is deleted, and never sent', async () => {
    const { queue, sent } = create();
    await queue.send({ ...message, isDropped: true });
    await until(isEmpty);
    const left = create(undefined, { leaseSeconds: 0 });
    await left.queue.add(connection.db, { ...message, isDropped: true });
    await until(isEmpty);
    expect([...sent, ...left.sent]).toEqual([]);
    expect(queue.counts()).toMatchObject([{ delivered: 0 }, { delivered: 0 }]);
  });

  test('a local sender has sent before the request is answered', async () => {
    const { queue, sent } = create(undefined, { isLocal: true });
    await queue.send(message);
    expect(sent).toHaveLength(1);
    expect(await isEmpty()).toBe(true);
  });

  test('a waiting message shows neither code nor address in the database', async () => {
    const { queue } = create(down);
    await queue.send(message);
    const [row] = await rows();
    expect(row).toMatchObject({ channel: 'sms' });
    for (const secret of ['012345', '+8613800138000', 'Aurelia'])
      expect(JSON.stringify(row)).not.toContain(secret);
  });

  test('a message of a rolled back transaction is never sent', async () => {
    const { queue, sent } = create();
    const work = connection.db.transaction().execute(async (trx) => {
      await queue.add(trx, message);
      throw new Error('taken back');
    });
    await expect(work).rejects.toThrow('taken back');
    await wait(100);
    expect(sent).toEqual([]);
  });

  test('a silent gateway delays no request', async () => {
    const { queue } = create(silence);
    const started = performance.now();
    await queue.send(message);
    expect(performance.now() - started).toBeLessThan(500);
  });

  test('a message is tried again under the same id until the gateway accepts it', async () => {
    const { queue, sent } = create((_, count) => (count < 3 ? down() : Promise.resolve()));
    await queue.send(message);
    await until(isEmpty);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  });

  test.each(['never', 'unknown'] as const)(
    'a message that failed with %s is not tried again',
    async (failure) => {
      const { queue, sent } = create(() => Promise.reject(new DeliveryError(failure, 'why')));
      await queue.send(message);
      await until(isEmpty);
      await wait(150);
      expect(sent).toHaveLength(1);
    },
  );

  test('one other process sends the messages that a process left behind', async () => {
    const { queue: lost } = create(undefined, { leaseSeconds: 0.2, pollMs: 1e6 });
    for (let count = 0; count < 30; count += 1) await lost.add(connection.db, message);
    const others = [create(), create(), create()];
    expect(others.flatMap(({ sent }) => sent)).toEqual([]);
    await until(isEmpty);
    const ids = others.flatMap(({ sent }) => sent.map(({ id }) => id));
    expect(ids).toHaveLength(30);
    expect(new Set(ids).size).toBe(30);
  });

  test('a newer message of a topic replaces one that still waits', async () => {
    let isDown = true;
    const { queue, sent } = create(() => (isDown ? down() : Promise.resolve()));
    const topic = 'login of ada in this browser';
    await queue.send(message, { topic });
    await until(async () => sent.length > 0);
    await queue.send({ ...message, code: '678901' }, { topic });
    await queue.send({ ...message, code: '222222' }, { topic: 'another' });
    await until(async () => sent.some(({ code }) => code === '678901'));
    expect(await rows()).toHaveLength(2);
    isDown = false;
    const before = sent.length;
    await until(isEmpty);
    expect(new Set(sent.slice(before).map(({ code }) => code))).toEqual(new Set(['678901', '222222']));
  });

  test('an expired message is not sent', async () => {
    let isDown = true;
    const { queue, sent } = create(() => (isDown ? down() : Promise.resolve()), { pollMs: 5 });
    await queue.send(message, { lifetimeSeconds: 0.03 });
    await wait(60);
    isDown = false;
    await until(isEmpty);
    expect(sent.length).toBeLessThan(3);
  });

  test('a full queue refuses before anything is promised, and accepts again when it has emptied', async () => {
    let isDown = true;
    const breaker = { strikes: 1e6, patienceMs: 1e6, pauseMs: 1 };
    const { queue } = create(() => (isDown ? down() : Promise.resolve()), { capacity: 3, breaker });
    for (let count = 0; count < 3; count += 1) await queue.send(message);
    await expect(queue.requireRoom(connection.db, 'sms')).rejects.toMatchObject({
      code: 'busy',
      details: { retryAfterSeconds: 15 },
    });
    await queue.requireRoom(connection.db, 'email');
    isDown = false;
    await until(isEmpty);
    await queue.requireRoom(connection.db, 'sms');
  });

  test('the circuit opens on silence, refuses, and closes when the gateway is back; nothing is lost', async () => {
    let isDown = true;
    const taken: string[] = [];
    const { queue } = create(async ({ id }) => {
      if (isDown) {
        await wait(300);
        return down();
      }
      taken.push(id);
    });
    await queue.send(message);
    await until(async () =>
      queue.requireRoom(connection.db, 'sms').then(
        () => false,
        (error) => error.code === 'unavailable' && error.details.retryAfterSeconds >= 1,
      ),
    );
    await queue.requireRoom(connection.db, 'email');
    await queue.send(message);
    isDown = false;
    await until(isEmpty);
    expect(new Set(taken).size).toBe(2);
    expect(taken).toHaveLength(2);
    await queue.requireRoom(connection.db, 'sms');
  });

  test('no more than `concurrency` messages are sent at once, and all arrive', async () => {
    let now = 0;
    let most = 0;
    const { queue, sent } = create(
      async () => {
        most = Math.max(most, ++now);
        await wait(5);
        now -= 1;
      },
      { concurrency: 4, pollMs: 1e6 },
    );
    await Promise.all(Array.from({ length: 60 }, () => queue.send(message)));
    await until(isEmpty);
    expect(most).toBe(4);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(60);
    expect(sent).toHaveLength(60);
  });

  test('a message opens with the key it was sealed with, after a newer key came', async () => {
    const { queue: old } = create(undefined, { leaseSeconds: 0, pollMs: 1e6, keys: ['the older key'] });
    await old.add(connection.db, message);
    const { sent } = create(undefined, { keys: ['the newer key', 'the older key'] });
    await until(isEmpty);
    expect(sent).toHaveLength(1);
  });

  test('a message sent while the database was away is never sent again, by any process, however long the outage', async () => {
    const database = createAway(connection.db);
    const gate = Promise.withResolvers<void>();
    const pace = { leaseSeconds: 0.1, pollMs: 300 };
    const { queue, sent } = create(() => gate.promise, pace, database.db);
    const others = [create(undefined, pace, database.db), create(undefined, pace, database.db)];
    const started = await Promise.all(Array.from({ length: 5 }, () => queue.add(connection.db, message)));
    for (const delivery of started) void delivery.start();
    database.isAway = true;
    gate.resolve();
    await until(async () => sent.length === 5);
    // Longer than the leases, so that other processes may take over the rest.
    await wait(750);
    database.isAway = false;
    await until(isEmpty);
    expect([sent.length, ...others.map((other) => other.sent.length)]).toEqual([5, 0, 0]);
  });

  test('a process gives back a message that it cannot open, for a process that can', async () => {
    const { queue: newer } = create(undefined, { leaseSeconds: 0, pollMs: 1e6, keys: ['the newer key'] });
    await newer.add(connection.db, message);
    const stranger = create(undefined, { keys: ['the older key'] });
    await vi.waitFor(async () => expect((await rows())[0]?.attempts).toBeGreaterThan(2), 5_000);
    expect(stranger.sent).toEqual([]);
    const { sent } = create(undefined, { keys: ['the newer key', 'the older key'] });
    await until(isEmpty);
    expect(sent).toHaveLength(1);
  });

  test('closing waits for messages being sent and starts no more', async () => {
    let ended = 0;
    const { queue } = create(async () => {
      await wait(100);
      ended += 1;
    });
    await queue.send(message);
    await queue.close();
    expect(ended).toBe(1);
    await queue.send(message);
    await wait(100);
    expect(ended).toBe(1);
    expect(await rows()).toHaveLength(1);
  });
});
