import { testDatabaseUrl } from '@candela/server/testing/databases';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StatementCounter, startStatementCounter } from './statement-counter.ts';

describe.skipIf(!testDatabaseUrl)('the statement counter', () => {
  let counter: StatementCounter;
  let client: pg.Client;

  beforeAll(async () => {
    counter = await startStatementCounter(testDatabaseUrl ?? '');
    client = new pg.Client({ connectionString: counter.url });
    await client.connect();
    counter.take();
  });
  afterAll(async () => {
    await client.end();
    await counter.close();
  });

  it('counts a simple query', async () => {
    await client.query('select 1');
    expect(counter.take()).toEqual({ statements: 1, roundTrips: 1, parsed: 0 });
  });

  it('counts an unnamed statement with values, which is parsed each time', async () => {
    await client.query('select $1::int', [1]);
    await client.query('select $1::int', [2]);
    expect(counter.take()).toEqual({ statements: 2, roundTrips: 2, parsed: 2 });
  });

  it('counts every execution of a named statement, which is parsed once', async () => {
    for (const value of [1, 2, 3]) {
      await client.query({ name: 'doubled', text: 'select $1::int * 2', values: [value] });
    }
    expect(counter.take()).toEqual({ statements: 3, roundTrips: 3, parsed: 1 });
  });

  it('counts the frame of a transaction', async () => {
    await client.query('begin');
    await client.query('select $1::text', ['a']);
    await client.query('commit');
    expect(counter.take()).toEqual({ statements: 3, roundTrips: 3, parsed: 1 });
  });

  it('leaves out what a server sends to hear itself', async () => {
    const beat = (payload: string) =>
      client.query({ name: 'notify', text: 'select pg_notify($1, $2)', values: ['changes', payload] });
    await beat('a change');
    await beat('beat:of-this-process:1');
    await beat('a change');
    expect(counter.take()).toEqual({ statements: 2, roundTrips: 2, parsed: 1 });
  });

  it('reads messages that arrive in many pieces', async () => {
    const long = 'x'.repeat(500_000);
    const { rows } = await client.query('select length($1::text) as length', [long]);
    expect(rows).toEqual([{ length: long.length }]);
    expect(counter.take()).toEqual({ statements: 1, roundTrips: 1, parsed: 1 });
  });

  it('counts nothing of starting a session', async () => {
    const other = new pg.Client({ connectionString: counter.url });
    await other.connect();
    await other.end();
    expect(counter.take()).toEqual({ statements: 0, roundTrips: 0, parsed: 0 });
  });
});
