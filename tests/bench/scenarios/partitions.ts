import { randomInt } from 'node:crypto';
import pg from 'pg';
import { query } from '../../support/postgres.ts';
import type { Bench } from '../bench.ts';
import type { Row } from '../result.ts';
import { median, percentile } from '../statistics.ts';

/** Rows end evenly over so many hours before now and after; an hour has a partition. */
const HOURS = 24;
const CLIENTS = 4;
const ROUNDS = 5;
/** The largest batch of a sweep. */
const BATCH = 2_560;
const TABLES = ['plain', 'partitioned'] as const;

type Table = (typeof TABLES)[number];

const hour = (n: number) => `date_trunc('hour', now()) + interval '${n} hours'`;

/** A table with the columns and indexes of `access_token`. The key of a partitioned one has to hold its bounds. */
const create = (table: Table): string => {
  const key = table === 'plain' ? 'brand, id_hash' : 'brand, id_hash, expires_at';
  const suffix = table === 'plain' ? '' : 'partition by range (expires_at)';
  const partitions = Array.from({ length: 2 * HOURS + 2 }, (_, index) => index - HOURS).map(
    (n) =>
      `execute format('create table hour_${n + HOURS} partition of partitioned for values from (%L) to (%L)', ${hour(n)}, ${hour(n + 1)});`,
  );
  return `create table ${table} (brand text not null, id_hash text not null, account_id text not null,
      client_id text not null, grant_id text not null, payload jsonb not null, created_at timestamptz not null default now(),
      consumed_at timestamptz, expires_at timestamptz not null, primary key (${key})) ${suffix};
    create index ${table}_grant on ${table} (brand, grant_id);
    create index ${table}_expiry on ${table} (expires_at);
    ${table === 'plain' ? '' : `do $$ begin ${partitions.join(' ')} end $$;`}`;
};

const hashOf = (n: string) => `encode(sha256(cast(${n} as text)::bytea), 'base64')`;

/** `count` rows; the first half has ended. */
const fill = (table: Table, count: number): string => `
  insert into ${table} (brand, id_hash, account_id, client_id, grant_id, payload, expires_at)
  select 'aurelia', ${hashOf('n')}, md5(cast(n / 8 as text)), 'client', ${hashOf('n / 2')},
    jsonb_build_object('kind', 'AccessToken', 'scope', 'openid profile offline_access lights', 'jti', md5(cast(n as text))),
    ${hour(-HOURS)} + n * interval '${2 * HOURS} hours' / ${count}
  from generate_series(0, ${count - 1}) as n;
  analyze ${table};`;

/** What requests do with a token, by the value that they have. */
const statements = (table: Table) => ({
  'look-up': {
    text: `select payload, expires_at from ${table} where brand = 'aurelia' and id_hash = encode(sha256($1::bytea), 'base64') and expires_at > now()`,
  },
  issue: {
    text: `insert into ${table} (brand, id_hash, account_id, client_id, grant_id, payload, expires_at)
      values ('aurelia', encode(sha256(convert_to('new' || $1 || random(), 'utf8')), 'base64'), 'a', 'client', md5($1), '{"kind": "AccessToken"}', now() + interval '1 hour')`,
  },
  withdrawal: {
    text: `delete from ${table} where brand = 'aurelia' and grant_id = encode(sha256(convert_to('none' || $1, 'utf8')), 'base64')`,
  },
});

type Kind = keyof ReturnType<typeof statements>;

interface Load {
  databaseUrl: string;
  table: Table;
  kinds: readonly Kind[];
  /** Values are numbers of live rows. */
  count: number;
}

/** Repeats the statements on each of a few connections until `until` resolves; answers how long each took, in ms. */
const load = async ({ databaseUrl, table, kinds, count }: Load, until: Promise<unknown>) => {
  const took: number[] = [];
  let ended = false;
  const ending = until.finally(() => {
    ended = true;
  });
  const work = async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    for (let turn = 0; !ended; turn += 1) {
      const kind = kinds[turn % kinds.length] ?? 'look-up';
      const started = performance.now();
      await client.query({
        name: kind,
        ...statements(table)[kind],
        values: [String(randomInt(Math.floor(count * 0.55), count))],
      });
      took.push(performance.now() - started);
    }
    await client.end();
  };
  await Promise.all([ending, ...Array.from({ length: CLIENTS }, work)]);
  return took;
};

const seconds = (value: number) => new Promise((resolve) => setTimeout(resolve, value * 1_000));

const sizeOf = async (databaseUrl: string, table: Table): Promise<string> => {
  const [row] = await query<{ size: string }>(
    databaseUrl,
    `select pg_size_pretty(pg_total_relation_size('${table}') + coalesce(sum(pg_total_relation_size(relid)), 0)) as size
      from pg_partition_tree('${table}') where isleaf and relid <> '${table}'::regclass`,
  );
  return row?.size ?? '';
};

const deleteExpired = async (databaseUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (let gone: number | null = 1; gone; )
    gone = (
      await client.query(`delete from plain where ctid = any(array(select ctid from plain
        where expires_at < date_trunc('hour', now()) order by expires_at limit ${BATCH} for update skip locked))`)
    ).rowCount;
  await client.end();
};

const dropExpired = async (databaseUrl: string): Promise<void> => {
  for (let n = 0; n < HOURS; n += 1) await query(databaseUrl, `drop table hour_${n}`);
};

const sweep = async (databaseUrl: string, table: Table, count: number): Promise<Record<string, string>> => {
  const wal = async () =>
    (await query<{ at: string }>(databaseUrl, 'select pg_current_wal_lsn() as at'))[0]?.at ?? '0/0';
  const before = await sizeOf(databaseUrl, table);
  const from = await wal();
  const started = performance.now();
  const mix = { databaseUrl, table, kinds: ['look-up', 'issue'] as const, count };
  let took = 0;
  const sweeping = (table === 'plain' ? deleteExpired : dropExpired)(databaseUrl).then(() => {
    took = performance.now() - started;
  });
  const during = await load(mix, sweeping);
  const [written] = await query<{ size: string }>(
    databaseUrl,
    `select pg_size_pretty(pg_wal_lsn_diff('${await wal()}', '${from}')) as size`,
  );
  await query(databaseUrl, `vacuum ${table}`);
  return {
    [`${table}, sweep s`]: (took / 1_000).toFixed(2),
    [`${table}, slowest statement during the sweep ms`]: percentile(during, 1).toFixed(1),
    [`${table}, p99 during the sweep ms`]: percentile(during, 0.99).toFixed(2),
    [`${table}, log written`]: written?.size ?? '',
    [`${table}, size before and after`]: `${before}, ${await sizeOf(databaseUrl, table)}`,
  };
};

/** The statements of a token on one table and on one partitioned by hours, and a sweep by deleting and by dropping. */
export const runPartitions = async ({ postgres, options }: Bench): Promise<Row[]> => {
  const count = options.tokens;
  const databaseUrl = await postgres.createDatabase('partitions');
  for (const table of TABLES) await query(databaseUrl, create(table) + fill(table, count));
  const rows: Row[] = [];
  for (const kind of ['look-up', 'issue', 'withdrawal'] as const) {
    const perSecond: Record<Table, number[]> = { plain: [], partitioned: [] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const table of TABLES) {
        const took = await load({ databaseUrl, table, kinds: [kind], count }, seconds(options.seconds));
        // The first round warms up.
        if (round > 0) perSecond[table].push(took.length / options.seconds);
      }
    }
    const [plain, partitioned] = [median(perSecond.plain), median(perSecond.partitioned)];
    rows.push({
      name: `partitions: ${kind}`,
      other: { label: 'one table', perSecond: plain },
      ratios: { throughput: partitioned / plain },
      notes: { 'partitioned per s': partitioned.toFixed(0) },
    });
  }
  const notes: Record<string, string> = {};
  for (const table of TABLES) Object.assign(notes, await sweep(databaseUrl, table, count));
  return [...rows, { name: 'partitions: sweep of half of the rows', notes }];
};
