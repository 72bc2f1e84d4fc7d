import { expect, test } from 'vitest';
import { createDatabaseHosts } from './database-hosts.ts';
import { isOutage } from './outage.ts';

const A = 'postgres://a/candela';
const B = 'postgres://b/candela';

type Server = 'primary' | 'standby' | Error;

/** Servers that answer as the test says, and the hosts that were tried. */
const createHosts = (url: string, servers: Record<string, Server>) => {
  const hosts = createDatabaseHosts(url);
  const tried: string[] = [];
  const refused: string[] = [];
  const connect = () =>
    hosts.connect(
      async ({ connectionString }) => {
        const { host } = new URL(connectionString);
        tried.push(host);
        const server = servers[host];
        if (server instanceof Error) throw server;
        return { host, query: async () => ({ rows: [{ standby: server === 'primary' ? 'off' : 'on' }] }) };
      },
      ({ host }) => refused.push(host),
    );
  return { connect, tried, refused };
};

const failed = (code: string, message = code) => Object.assign(new Error(message), { code });

test('hosts are tried in order; one that is away and a standby are passed over, and the one that serves is kept', async () => {
  const servers: Record<string, Server> = { a: failed('ECONNREFUSED'), b: 'standby', c: 'primary' };
  const { connect, tried, refused } = createHosts('postgres://a,b,c/candela', servers);
  expect((await connect()).host).toBe('c');
  expect([tried, refused]).toEqual([['a', 'b', 'c'], ['b']]);
  tried.length = 0;
  await connect();
  expect(tried).toEqual(['c']);

  tried.length = 0;
  Object.assign(servers, { a: 'primary', c: 'standby' });
  expect((await connect()).host).toBe('a');
  expect(tried).toEqual(['c', 'a']);
});

test('where no host serves, the outage names each of them with its reason', async () => {
  const servers = { a: failed('57P03', 'the database system is starting up'), b: 'standby' as const };
  const error: unknown = await createHosts('postgres://me:word@a,b/candela', servers)
    .connect()
    .catch((reason: unknown) => reason);
  expect(isOutage(error)).toBe(true);
  expect((error as Error).message).toBe('a the database system is starting up; b takes no writes');
});

test.each(['28P01', '3D000', '53300'])(
  '%s of one host ends the search: the next host would not help',
  async (code) => {
    const { connect, tried } = createHosts('postgres://a,b/candela', { a: failed(code), b: 'primary' });
    await expect(connect()).rejects.toMatchObject({ code });
    expect(tried).toEqual(['a']);
  },
);

test('one host serves whatever it is, unless a standby is refused', async () => {
  expect((await createHosts(A, { a: 'standby' }).connect()).host).toBe('a');
  const asked = createHosts(`${B}?target_session_attrs=read-write`, { b: 'standby' });
  await expect(asked.connect()).rejects.toThrow('takes no writes');
  expect(asked.refused).toEqual(['b']);
});
