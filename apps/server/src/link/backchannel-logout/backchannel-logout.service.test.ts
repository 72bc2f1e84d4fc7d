import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { recordEvents } from '../../../testing/recorded-events.ts';
import { until } from '../../../testing/until.ts';
import { createLogger } from '../../ground/logger.ts';
import {
  type BackchannelLogoutService,
  createBackchannelLogoutService,
  type LogoutPace,
  usualLogoutPace,
} from './backchannel-logout.service.ts';
import type { Logout, LogoutOutcome } from './logout-sender.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

describeOnDatabases('logouts that wait for their clients', (connection) => {
  const services: BackchannelLogoutService[] = [];
  let clock = 0;
  beforeEach(() => connection.db.deleteFrom('backchannel_logout').execute());
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.close()));
  });

  type Send = (logout: Logout, signal: AbortSignal) => Promise<LogoutOutcome>;
  const told: Send = async () => 'told';
  const down: Send = () => Promise.reject(new Error('down'));
  /** Pending until the try is aborted. */
  const hang: Send = (_, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

  /** Looks only when a test calls `look`. */
  const create = (send: Send, pace: Partial<LogoutPace> = {}) => {
    const sent: Logout[] = [];
    const events = recordEvents();
    const service = createBackchannelLogoutService({
      db: connection.db,
      sender: {
        send: (logout, signal) => {
          sent.push(logout);
          return send(logout, signal);
        },
      },
      events,
      logger: createLogger('silent'),
      pace: { pollMs: 1e8, closeMs: 0, ...pace },
      now: () => clock,
    });
    services.push(service);
    return { ...service, sent, events };
  };
  const add = (clientId: string, count = 1) =>
    connection.db
      .insertInto('backchannel_logout')
      .values(
        Array.from({ length: count }, (_, index) => ({
          brand: 'aurelia',
          client_id: clientId,
          account_id: 'ada',
          sid: `${clientId}-${index}`,
          expires_at: sql<Date>`now() + make_interval(secs => ${DAY_SECONDS})`,
        })),
      )
      .execute();
  const rows = () => connection.db.selectFrom('backchannel_logout').selectAll().execute();
  const isEmpty = async () => (await rows()).length === 0;
  /** Moves the times of the table back; the clock of the database then reads as if it had moved on. */
  const pass = async (seconds: number) => {
    clock += seconds * 1_000;
    const back = sql<Date>`make_interval(secs => ${seconds})`;
    await connection.db
      .updateTable('backchannel_logout')
      .set({ due_at: sql<Date>`due_at - ${back}`, expires_at: sql<Date>`expires_at - ${back}` })
      .execute();
  };
  /** Seconds until the only logout is due. */
  const dueIn = async (): Promise<number | undefined> => {
    const row = await connection.db
      .selectFrom('backchannel_logout')
      .select(sql<number>`cast(extract(epoch from due_at - now()) as double precision)`.as('due'))
      .executeTakeFirst();
    return row && Math.round(row.due);
  };
  /** Lets a try fail and ends the pause after it; undefined when that was the last try. */
  const untilSettled = async (attempts: number): Promise<number | undefined> => {
    let due: number | undefined;
    await until(async () => {
      due = await dueIn();
      const [row] = await rows();
      return due === undefined || (row?.attempts === attempts && due !== usualLogoutPace.leaseSeconds);
    });
    return due;
  };

  test.each(['told', 'refused', 'unwanted'] as const)(
    'a logout that ends as %s is deleted',
    async (outcome) => {
      const { look, sent, events } = create(async () => (outcome === 'refused' ? { refused: 403 } : outcome));
      await add('hub');
      await look();
      await until(isEmpty);
      expect(sent).toEqual([{ brand: 'aurelia', clientId: 'hub', accountId: 'ada', sid: 'hub-0' }]);
      const whom = { brand: 'aurelia', clientId: 'hub', accountId: 'ada' };
      const said = {
        told: [{ event: 'logout.told', ...whom }],
        refused: [{ event: 'logout.not_told', ...whom, reason: 'refused', detail: 'HTTP 403', final: true }],
        unwanted: [],
      };
      await until(async () => events.all.length === said[outcome].length);
      expect(events.all).toEqual(said[outcome]);
    },
  );

  test('a client that is down is tried six times within the hour, then given up', async () => {
    const { look, sent, events } = create(down);
    await add('hub');
    const pauses: number[] = [];
    for (let attempts = 1; ; attempts += 1) {
      await look();
      const pause = await untilSettled(attempts);
      expect(sent).toHaveLength(attempts);
      if (pause === undefined) break;
      pauses.push(pause);
      await pass(pause - 2);
      await look();
      expect(sent).toHaveLength(attempts);
      await pass(3);
    }
    expect(pauses).toEqual([5, 30, 180, 900, 2_400]);
    expect(sent).toHaveLength(6);
    expect(pauses.reduce((sum, pause) => sum + pause)).toBeLessThanOrEqual(HOUR_SECONDS);
    await until(async () => events.all.length === 6);
    expect(events.all.map(({ event, count, final }) => [event, count, final])).toEqual(
      [1, 2, 3, 4, 5, 6].map((count) => ['logout.not_told', count, count === 6]),
    );
    expect(events.all[5]).toMatchObject({
      clientId: 'hub',
      accountId: 'ada',
      reason: 'not_taken',
      detail: 'down',
    });
  });

  test('a try that lasts too long counts as one that failed', async () => {
    const { look, events } = create(hang, { tryMs: 20 });
    await add('hub');
    await look();
    expect(await untilSettled(1)).toBe(5);
    await until(async () => events.all.length === 1);
    expect(events.all[0]).toMatchObject({ event: 'logout.not_told', reason: 'timed_out', final: false });
  });

  test('a logout is dropped after a day, however few tries it had', async () => {
    const { look, sent } = create(told);
    await add('hub');
    await pass(DAY_SECONDS + 1);
    await look();
    expect(sent).toEqual([]);
  });

  test('a client that hangs takes a few places and leaves the rest to other clients', async () => {
    const { look, wake, sent } = create((logout, signal) =>
      logout.clientId === 'slow' ? hang(logout, signal) : told(logout, signal),
    );
    await add('slow', 100);
    await look();
    await add('quick', 50);
    wake();
    await until(async () => (await rows()).every((row) => row.client_id === 'slow'));
    expect(sent.filter(({ clientId }) => clientId === 'quick')).toHaveLength(50);
    expect(sent.filter(({ clientId }) => clientId === 'slow')).toHaveLength(usualLogoutPace.perClient);
  });

  test('the backlog of a client that hangs does not delay others: the same look reaches them', async () => {
    const { look, sent } = create((logout, signal) =>
      logout.clientId === 'slow' ? hang(logout, signal) : told(logout, signal),
    );
    await add('slow', 1_200);
    await add('quick');
    await look();
    expect(sent.map(({ clientId }) => clientId)).toContain('quick');
  });

  test('a client that failed rests while others take its places, and is tried again afterwards', async () => {
    const { look, sent } = create(
      (logout, signal) => (logout.clientId === 'down' ? down(logout, signal) : told(logout, signal)),
      { concurrency: 2 },
    );
    const sentTo = (clientId: string) => sent.filter((logout) => logout.clientId === clientId);
    await add('down', 10);
    await look();
    await until(async () => (await rows()).filter(({ attempts }) => attempts === 1).length === 2);
    await add('up', 6);
    await look();
    await until(() => sentTo('up').length === 6);
    expect(sentTo('down')).toHaveLength(2);
    clock += usualLogoutPace.restMs;
    await look();
    await until(() => sentTo('down').length > 2);
  });

  test('no more logouts run at once than allowed', async () => {
    const { look } = create(hang, { concurrency: 6 });
    for (const client of ['a', 'b', 'c', 'd']) await add(client, 3);
    await look();
    expect((await rows()).filter(({ attempts }) => attempts === 1)).toHaveLength(6);
    await look();
    expect((await rows()).filter(({ attempts }) => attempts === 1)).toHaveLength(6);
  });

  test('of several processes that look, one sends the logout', async () => {
    const processes = [create(told), create(told), create(told), create(told)];
    for (const client of ['a', 'b', 'c']) await add(client, 40);
    while (!(await isEmpty())) await Promise.all(processes.map(({ look }) => look()));
    const sids = processes.flatMap(({ sent }) => sent.map(({ sid }) => sid));
    expect(sids).toHaveLength(120);
    expect(new Set(sids).size).toBe(120);
  });

  test('another process takes up the logouts of a crashed process when their leases have run out', async () => {
    const crashed = create(hang);
    await add('hub');
    await crashed.look();
    const { look, sent } = create(told);
    await look();
    expect(sent).toEqual([]);
    await pass(usualLogoutPace.leaseSeconds);
    await look();
    await until(isEmpty);
    expect(sent).toHaveLength(1);
  });

  test('a process that closes gives back unfinished logouts at once, as if untried', async () => {
    const closing = create(hang);
    await add('hub');
    await closing.look();
    await closing.close();
    expect(await rows()).toMatchObject([{ attempts: 0 }]);
    const { look, sent } = create(told);
    await look();
    await until(isEmpty);
    expect(sent).toHaveLength(1);
    await closing.look();
    expect(closing.sent).toHaveLength(1);
  });

  test('a logout for which the database did not answer counts as untried, and is taken up again after a pause', async () => {
    const outcomes: LogoutOutcome[] = ['untried', 'told'];
    const { look, sent } = create(async () => outcomes.shift() ?? { refused: 400 });
    await add('hub');
    await look();
    const [pause = 0] = usualLogoutPace.pausesSeconds;
    expect(await untilSettled(0)).toBe(pause);
    await pass(pause + 1);
    await look();
    await until(isEmpty);
    expect(sent).toHaveLength(2);
  });

  test('a transaction that adds logouts notifies its listeners once', async () => {
    const heard: string[] = [];
    const live = Promise.withResolvers<void>();
    const listening = await connection.listen('candela_changes', {
      onMessage: (payload) => void heard.push(payload),
      onLive: () => live.resolve(),
    });
    await live.promise;
    await add('hub', 3);
    await add('hub', 2);
    await connection.db.updateTable('backchannel_logout').set({ brand: 'borealis' }).execute();
    await until(() => heard.length >= 2);
    await connection.db.deleteFrom('backchannel_logout').execute();
    await add('last');
    await until(() => heard.length >= 3);
    await listening.close();
    expect(heard).toEqual(Array.from({ length: 3 }, () => 'backchannel_logout:aurelia'));
  });
});
