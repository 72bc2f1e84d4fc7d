import type { AddressInfo } from 'node:net';
import { createServer, connect as dial, type Socket } from 'node:net';

/** The traffic since the last reading, without the messages by which a server finds out whether it hears any. */
interface StatementCounts {
  /** Executions: simple queries, and `Execute` of the extended protocol, prepared before or not. */
  statements: number;
  /** Round trips: messages sent before the answer to an earlier one is complete count as one. */
  roundTrips: number;
  /** Statements that the database had to parse. */
  parsed: number;
}

export interface StatementCounter {
  /** The address to connect to instead of the database. */
  url: string;
  /** The counts since the last call. */
  take(): StatementCounts;
  close(): Promise<void>;
}

const LENGTH_BYTES = 4;

/** In the values of the statement that `ground/db/listen.ts` sends, however idle the server is. */
const BEAT = Buffer.from('beat:');

/**
 * Calls `seen` with the type and the rest of each message of a PostgreSQL protocol stream. The first message of a client has no
 * type, only a length (PostgreSQL documentation, "Message Formats", StartupMessage).
 */
const createMessageReader = (
  seen: (type: string, rest: Buffer) => void,
  { startup }: { startup: boolean },
) => {
  let pending = Buffer.alloc(0);
  let typeBytes = startup ? 0 : 1;
  return (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= typeBytes + LENGTH_BYTES) {
      const end = typeBytes + pending.readInt32BE(typeBytes);
      if (pending.length < end) return;
      if (typeBytes > 0) seen(String.fromCharCode(pending.readUInt8(0)), pending.subarray(typeBytes, end));
      pending = pending.subarray(end);
      typeBytes = 1;
    }
  };
};

/** A proxy in front of the database that counts messages. It adds delay, so nothing is timed through it. */
export const startStatementCounter = async (databaseUrl: string): Promise<StatementCounter> => {
  const { hostname, port } = new URL(databaseUrl);
  let counts: StatementCounts = { statements: 0, roundTrips: 0, parsed: 0 };
  const sockets = new Set<Socket>();

  const join = (client: Socket) => {
    const database = dial({ host: hostname, port: Number(port), noDelay: true });
    client.setNoDelay(true);
    let unanswered = 0;
    let isBeat = false;
    const fromClient = createMessageReader(
      (type, rest) => {
        if (type === 'B') isBeat = rest.includes(BEAT);
        if (type === 'Q' || (type === 'E' && !isBeat)) counts.statements += 1;
        if (type === 'P') counts.parsed += 1;
        if (type !== 'Q' && type !== 'S') return;
        if (unanswered === 0 && !isBeat) counts.roundTrips += 1;
        unanswered += 1;
        isBeat = false;
      },
      { startup: true },
    );
    // The first ReadyForQuery ends the startup of the connection, which no counted message asked for.
    let ready = false;
    const fromDatabase = createMessageReader(
      (type) => {
        if (type !== 'Z') return;
        if (ready) unanswered -= 1;
        ready = true;
      },
      { startup: false },
    );
    const pass = (from: Socket, to: Socket, reader: (chunk: Buffer) => void) => {
      sockets.add(from);
      from.on('data', (chunk) => {
        reader(chunk);
        to.write(chunk);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    };
    pass(client, database, fromClient);
    pass(database, client, fromDatabase);
  };

  const server = createServer(join);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    take: () => {
      const taken = counts;
      counts = { statements: 0, roundTrips: 0, parsed: 0 };
      return taken;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
