import type { Bench } from '../bench.ts';
import { openConnection } from '../http-connection.ts';
import { compare, type Prepare } from '../paired.ts';
import type { Row } from '../result.ts';
import { startProgram } from '../started-program.ts';
import type { Subject } from '../subject.ts';
import { createPools, mintValues, tokenRequests } from './protocol.ts';

const POOL = 2_000;

const passConnections = new URL('../pass-connections.ts', import.meta.url).pathname;

/** Settings of each server, on every core of the machine, shared with the load and the database. */
const ways = {
  'one worker': { WORKERS: '1' },
  'two, passed': { WORKERS: '2', NODE_OPTIONS: `--import=${passConnections}` },
  'two, own sockets': { WORKERS: '2' },
};

/** `npx pnpm start` with WORKERS. */
const startWithWorkers = async ({ cores, postgres }: Bench, way: keyof typeof ways): Promise<Subject> =>
  startProgram(await postgres.createDatabase(way.replaceAll(/\W+/g, '_')), {
    label: way,
    command: (node) =>
      cores.pinned
        ? ['taskset', '-c', `${cores.server},${cores.rest}`, ...node]
        : [process.execPath, ...node.slice(1)],
    env: ways[way],
  });

/** The same work, each piece on a connection of its own. */
const onNewConnections =
  (prepare: Prepare): Prepare =>
  async (subject, count) => {
    const work = await prepare(subject, count);
    return async (_, index) => {
      const { send, close } = await openConnection(subject.port, subject.host);
      await work(send, index).finally(close);
    };
  };

/** Two workers with sockets of their own, compared with one and with two that get their connections passed. */
export const runWorkers = async (bench: Bench): Promise<Row[]> => {
  const one = await startWithWorkers(bench, 'one worker');
  const passed = await startWithWorkers(bench, 'two, passed');
  const own = await startWithWorkers(bench, 'two, own sockets');
  const { introspection, refresh } = tokenRequests(
    createPools((subject, model) => mintValues(subject, model, POOL)),
  );
  const requests = {
    introspection,
    refresh,
    'introspection on new connections': onNewConnections(introspection),
  };
  try {
    const rows: Row[] = [];
    for (const [name, prepare] of Object.entries(requests))
      for (const other of [one, passed]) {
        const { first, second, ratios } = await compare(bench, [own, prepare], [other, prepare]);
        rows.push({
          name: `${name} at two workers`,
          candela: first,
          other: { ...second, label: other.label },
          ratios,
        });
      }
    return rows;
  } finally {
    for (const subject of [one, passed, own]) await subject.close();
  }
};
