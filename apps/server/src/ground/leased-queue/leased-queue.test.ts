import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { OutageError } from '../db/outage.ts';
import { createLogger } from '../logger.ts';
import { createLeasedQueue, type LeasedQueue, type LeasedQueueOptions } from './leased-queue.ts';

interface Task {
  id: string;
  attempts: number;
}
type Options = LeasedQueueOptions<Task, string>;

const queues: LeasedQueue<Task>[] = [];
afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.close()));
});
const create = (options: Pick<Options, 'lease'> & Partial<Options>) => {
  const queue = createLeasedQueue<Task, string>({
    noun: 'task',
    room: (taken) => 4 - taken,
    attempt: async () => 'done',
    settle: async () => undefined,
    pollMs: 1e8,
    closeMs: 0,
    logger: createLogger('silent'),
    ...options,
  });
  queues.push(queue);
  return queue;
};
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Tasks that only this process leases, with tries that last until the test ends them. */
const createTasks = (count: number) => {
  const due = Array.from({ length: count }, (_, index) => ({ id: `task ${index}`, attempts: 1 }));
  const trying = new Map<string, () => void>();
  return {
    due,
    trying,
    lease: async (limit: number) => {
      const items = due.splice(0, limit);
      return { items, hasMore: items.length === limit };
    },
    attempt: ({ id }: Task) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      trying.set(id, () => {
        trying.delete(id);
        resolve('done');
      });
      return promise;
    },
    endOne: async () => {
      const [[, end] = []] = trying;
      end?.();
      await settled();
    },
  };
};

describe('the places of a queue', () => {
  test('are never exceeded, and each try that ends makes room for the next', async () => {
    const tasks = createTasks(10);
    const { look } = create(tasks);
    await look();
    expect(tasks.trying.size).toBe(4);
    await look();
    expect(tasks.trying.size).toBe(4);
    for (let left = 6; left > 0; left -= 1) {
      await tasks.endOne();
      expect(tasks.trying.size).toBe(4);
    }
    for (let left = 3; left >= 0; left -= 1) {
      await tasks.endOne();
      expect(tasks.trying.size).toBe(left);
    }
  });

  test('that a lease under way will fill are not given to an item that arrives meanwhile', async () => {
    const tasks = createTasks(4);
    const leasing = Promise.withResolvers<void>();
    const lease = async (limit: number) => {
      const leased = await tasks.lease(limit);
      await leasing.promise;
      return leased;
    };
    const { look, take } = create({ ...tasks, lease });
    const looking = look();
    await settled();
    expect(take({ id: 'taken', attempts: 1 })).toBeUndefined();
    leasing.resolve();
    await looking;
    expect([...tasks.trying.keys()]).toEqual(['task 0', 'task 1', 'task 2', 'task 3']);
  });

  test('that are free are given to an item that arrives', async () => {
    const tasks = createTasks(0);
    const { take } = create(tasks);
    const taken = take({ id: 'taken', attempts: 1 });
    await tasks.endOne();
    await taken;
    expect(tasks.trying.size).toBe(0);
  });

  test('that become free during a lease are filled by another lease', async () => {
    const tasks = createTasks(0);
    const leasing = Promise.withResolvers<void>();
    let leases = 0;
    const lease = async () => {
      leases += 1;
      if (leases === 1) await leasing.promise;
      return { items: [], hasMore: false };
    };
    const { look, take } = create({ ...tasks, lease });
    void take({ id: 'taken', attempts: 1 });
    const looking = look();
    await settled();
    await tasks.endOne();
    leasing.resolve();
    await looking;
    expect(leases).toBe(2);
  });

  test('are filled by further leases while a lease may have left out due items', async () => {
    const tasks = createTasks(3);
    const { look } = create({
      ...tasks,
      lease: async () => ({ items: tasks.due.splice(0, 1), hasMore: true }),
    });
    await look();
    expect(tasks.trying.size).toBe(3);
  });
});

test('an item announced during a look is found by the next look, one look at a time', async () => {
  const leasing = Promise.withResolvers<void>();
  let leases = 0;
  let most = 0;
  let now = 0;
  const { look, wake } = create({
    lease: async () => {
      leases += 1;
      now += 1;
      most = Math.max(most, now);
      await leasing.promise;
      now -= 1;
      return { items: [], hasMore: false };
    },
  });
  const first = look();
  await settled();
  wake();
  wake();
  leasing.resolve();
  await first;
  expect([leases, most]).toEqual([2, 1]);
});

test('a woken queue works outside of the request that woke it', async () => {
  const request = new AsyncLocalStorage<string>();
  const leased = Promise.withResolvers<string | undefined>();
  const { wake } = create({
    lease: async () => {
      leased.resolve(request.getStore());
      return { items: [], hasMore: false };
    },
  });
  request.run('a request', wake);
  expect(await leased.promise).toBeUndefined();
});

test('a try that fails unexpectedly is logged with the name of its item, and leaves its place', async () => {
  const tasks = createTasks(1);
  const logger = { ...createLogger('silent'), warn: vi.fn() };
  const { look, take } = create({
    ...tasks,
    attempt: () => Promise.reject(new Error('unexpected')),
    room: (taken) => 1 - taken,
    logger: logger as unknown as Options['logger'],
  });
  await look();
  await settled();
  const line = { err: new Error('unexpected'), taskId: 'task 0' };
  expect(logger.warn).toHaveBeenCalledExactlyOnceWith(line, 'a task could not be settled');
  expect(take({ id: 'taken', attempts: 1 })).toBeDefined();
});

describe('after an outage of the database', () => {
  test('outcomes are stored before the next lease, and their items are not tried again', async () => {
    let isAway = false;
    let clock = 0;
    const away = () => {
      if (isAway) throw new OutageError('away');
    };
    const tasks = createTasks(1);
    const steps: string[] = [];
    const { look } = create({
      ...tasks,
      lease: async (limit) => {
        away();
        steps.push('leased');
        return tasks.lease(limit);
      },
      settle: async ({ id }, outcome) => {
        away();
        steps.push(`${id} is ${outcome}`);
      },
      holdOffMs: 1_000,
      now: () => clock,
    });
    await look();
    isAway = true;
    await tasks.endOne();
    await expect(look()).rejects.toThrow('away');
    isAway = false;
    // The lease of the item has run out.
    tasks.due.push({ id: 'task 0', attempts: 2 });
    await look();
    expect(steps).toEqual(['leased', 'task 0 is done']);
    clock += 1_000;
    tasks.due.splice(0);
    await look();
    expect(steps).toEqual(['leased', 'task 0 is done', 'leased']);
  });

  test('an item is not tried again while its outcome is being stored', async () => {
    const tasks = createTasks(1);
    const storing = Promise.withResolvers<void>();
    const { look } = create({ ...tasks, settle: () => storing.promise });
    await look();
    await tasks.endOne();
    tasks.due.push({ id: 'task 0', attempts: 2 });
    await look();
    expect(tasks.trying.size).toBe(0);
    storing.resolve();
  });

  test('an outcome that fails to be stored without an outage is left until the lease ends', async () => {
    const tasks = createTasks(1);
    let stores = 0;
    const settle = () => {
      stores += 1;
      return Promise.reject(new Error('wrong'));
    };
    const { look } = create({ ...tasks, settle });
    await look();
    await tasks.endOne();
    await look();
    expect(stores).toBe(1);
  });
});

describe('a queue that closes', () => {
  test('waits for its tries and leases nothing more', async () => {
    const tasks = createTasks(6);
    const stored: string[] = [];
    const settle = async ({ id }: Task) => void stored.push(id);
    const queue = create({ ...tasks, settle, closeMs: 60_000 });
    await queue.look();
    const closed = queue.close();
    for (let left = 4; left > 0; left -= 1) await tasks.endOne();
    await closed;
    await queue.look();
    expect(stored).toHaveLength(4);
    expect(tasks.due).toHaveLength(2);
    expect(queue.take({ id: 'taken', attempts: 1 })).toBeUndefined();
  });

  test('aborts a try that takes too long, by its signal, and gives its item back', async () => {
    const tasks = createTasks(2);
    const released: string[] = [];
    const stored: string[] = [];
    const signals: AbortSignal[] = [];
    const queue = create({
      ...tasks,
      attempt: (task, signal) => {
        signals.push(signal);
        return tasks.attempt(task);
      },
      settle: async ({ id }) => void stored.push(id),
      release: async ({ id }) => void released.push(id),
    });
    await queue.look();
    await queue.close();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(released).toEqual(['task 0', 'task 1']);
    await tasks.endOne();
    expect(stored).toEqual([]);
  });
});

describeOnDatabases('queues of several processes', (connection) => {
  beforeAll(async () => {
    await sql`create table task (
      id text primary key, attempts int not null default 0, due_at timestamptz not null default now()
    )`.execute(connection.db);
  }, 60_000);
  beforeEach(async () => {
    await sql`delete from task`.execute(connection.db);
  });

  const add = (count: number) =>
    sql`insert into task (id) select 'task ' || n from generate_series(1, ${sql.lit(count)}) as n`.execute(
      connection.db,
    );
  const list = async () =>
    (await sql<Task>`select id, attempts from task order by id`.execute(connection.db)).rows;
  /** What a queue of the server supplies: a statement that leases items, and a statement that settles them. */
  const createProcess = (attempt: Options['attempt'], options: Partial<Options> = {}) => {
    const tried: Task[] = [];
    const queue = create({
      lease: async (limit) => {
        const { rows } = await sql<Task>`
          update task set attempts = attempts + 1, due_at = now() + interval '60 seconds'
          where id = any(array(
            select id from task where due_at <= now() order by due_at limit ${sql.lit(limit)}
            for update skip locked
          ))
          returning id, attempts`.execute(connection.db);
        return { items: rows, hasMore: rows.length === limit };
      },
      attempt: (task, signal) => {
        tried.push(task);
        return attempt(task, signal);
      },
      settle: async ({ id, attempts }) => {
        await sql`delete from task where id = ${id} and attempts = ${attempts}`.execute(connection.db);
      },
      ...options,
    });
    return { ...queue, tried };
  };
  const done: Options['attempt'] = async () => 'done';
  const hang: Options['attempt'] = () => new Promise(() => undefined);

  test('each item is tried once, by one process', async () => {
    const processes = [createProcess(done), createProcess(done), createProcess(done)];
    await add(60);
    while ((await list()).length > 0) await Promise.all(processes.map(({ look }) => look()));
    const tried = processes.flatMap((one) => one.tried.map(({ id }) => id));
    expect(tried).toHaveLength(60);
    expect(new Set(tried).size).toBe(60);
  });

  test('another process tries the items of a dead process when their leases have run out', async () => {
    await add(1);
    const dead = createProcess(hang);
    await dead.look();
    const other = createProcess(done);
    await other.look();
    expect(other.tried).toEqual([]);
    await sql`update task set due_at = due_at - interval '60 seconds'`.execute(connection.db);
    await other.look();
    expect(other.tried).toEqual([{ id: 'task 1', attempts: 2 }]);
    await vi.waitFor(async () => expect(await list()).toEqual([]));
  });

  test('a process whose lease has run out settles nothing', async () => {
    await add(1);
    const gate = Promise.withResolvers<string>();
    const slow = createProcess(() => gate.promise);
    await slow.look();
    await sql`update task set due_at = due_at - interval '60 seconds'`.execute(connection.db);
    await createProcess(hang).look();
    gate.resolve('done');
    await settled();
    await slow.close();
    expect(await list()).toEqual([{ id: 'task 1', attempts: 2 }]);
  });
});
