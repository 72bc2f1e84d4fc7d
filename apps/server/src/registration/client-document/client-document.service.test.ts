import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { insertAccount } from '../../../testing/protocol-store.ts';
import { recordEvents } from '../../../testing/recorded-events.ts';
import { createRegistrations } from '../../../testing/registrations.ts';
import { until } from '../../../testing/until.ts';
import { createLogger } from '../../ground/logger.ts';
import { deleteUnusedDocuments } from './client-document.repository.ts';
import { createClientDocumentService } from './client-document.service.ts';
import { DocumentFault } from './document-fault.ts';
import { createDocumentLimits } from './document-limits.ts';

const ADDRESS = '203.0.113.7';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describeOnDatabases('clients that describe themselves', (connection) => {
  let number = 0;
  let id: string;
  let now: Date;
  let asked: string[];
  let freshSeconds: number | undefined;
  let name: string;
  let answer: (id: string) => Promise<string>;
  const events = recordEvents();

  beforeEach(() => {
    number += 1;
    id = `https://assistant-${number}.example/client.json`;
    now = new Date();
    asked = [];
    freshSeconds = undefined;
    name = 'Assistant';
    answer = async (url) =>
      JSON.stringify({ client_id: url, client_name: name, redirect_uris: ['http://127.0.0.1/callback'] });
  });

  let registry: ReturnType<typeof createRegistrations>['registry'] | undefined;
  /** Making one takes a while: it has keys of its own. */
  const registryOf = () => {
    registry ??= createRegistrations(connection.db).registry;
    return registry;
  };

  const create = (hosts: 'any' | string[] = 'any') =>
    createClientDocumentService({
      db: connection.db,
      hosts,
      registry: registryOf(),
      download: async (url) => {
        asked.push(url);
        return { text: await answer(url), freshSeconds };
      },
      limits: createDocumentLimits({ db: connection.db, events }),
      events,
      logger: createLogger('silent'),
      now: () => now,
    });
  const pass = (ms: number) => {
    now = new Date(now.getTime() + ms);
    asked = [];
  };
  const nameOf = async (client: string) => {
    const row = await connection.db
      .selectFrom('client')
      .select('metadata')
      .where('id', '=', client)
      .executeTakeFirst();
    return row?.metadata.client_name;
  };
  const dueIn = async () => {
    const row = await connection.db
      .selectFrom('client_document')
      .select('due_at')
      .where('client_id', '=', id)
      .executeTakeFirstOrThrow();
    return (row.due_at.getTime() - now.getTime()) / MINUTE_MS;
  };

  test('are registered by one fetch, which parallel requests share', async () => {
    const documents = create();
    await Promise.all(Array.from({ length: 5 }, () => documents.bring(id, ADDRESS)));
    expect(asked).toEqual([id]);
    expect(await nameOf(id)).toBe('Assistant');
    await documents.bring(id, ADDRESS);
    await create().bring(id, ADDRESS);
    expect(asked).toEqual([id]);
  });

  test.each([
    [undefined, 60],
    [0, 5],
    [1800, 30],
    [10 * 86_400, 24 * 60],
  ])('may be kept for %s seconds: they are fetched again after %s minutes', async (seconds, minutes) => {
    freshSeconds = seconds;
    await create().bring(id, ADDRESS);
    expect(await dueIn()).toBeCloseTo(minutes, 0);
  });

  test('are used as they are while one process fetches a document that is due', async () => {
    await create().bring(id, ADDRESS);
    name = 'Renamed';
    pass(61 * MINUTE_MS);
    const processes = Array.from({ length: 4 }, () => create());
    await Promise.all(processes.map((documents) => documents.bring(id, ADDRESS)));
    await until(async () => (await nameOf(id)) === 'Renamed');
    await Promise.all(processes.map((documents) => documents.close()));
    expect(asked).toEqual([id]);
  });

  test('belong to the operator who writes an entry for them: their documents count no more', async () => {
    await create().bring(id, ADDRESS);
    const entry = {
      client_id: id,
      client_name: 'By the operator',
      token_endpoint_auth_method: 'none',
      redirect_uris: ['https://assistant.example/callback'],
    };
    await registryOf().apply({ kind: 'operator' }, [entry]);
    name = 'Renamed';
    pass(DAY_MS);
    await create().bring(id, ADDRESS);
    expect([asked, await nameOf(id)]).toEqual([[], 'By the operator']);
  });

  test('wait for the fetch where nobody has asked in a while', async () => {
    await create().bring(id, ADDRESS);
    name = 'Renamed';
    pass(DAY_MS);
    await create().bring(id, ADDRESS);
    expect(await nameOf(id)).toBe('Renamed');
  });

  test.each([
    ['is away', () => Promise.reject(new DocumentFault('could not be read'))],
    ['says something else', async () => 'null'],
    [
      'has a name that is taken',
      async (url: string) =>
        JSON.stringify({ client_id: url, client_name: 'Aurelia', redirect_uris: ['http://localhost/'] }),
    ],
  ])(
    'stay as they were while the document %s, and it is tried after 1, 2, 4 minutes',
    async (_how, given) => {
      await create().bring(id, ADDRESS);
      answer = given;
      pass(DAY_MS);
      for (const minutes of [1, 2, 4]) {
        await create().bring(id, ADDRESS);
        expect(asked).toEqual([id]);
        expect(await dueIn()).toBeCloseTo(minutes, 0);
        await create().bring(id, ADDRESS);
        expect(asked).toEqual([id]);
        // Due for so long, the fetch is waited for.
        await connection.db
          .updateTable('client_document')
          .set({ due_at: new Date(now.getTime() - 2 * HOUR_MS) })
          .where('client_id', '=', id)
          .execute();
        asked = [];
      }
      expect(await nameOf(id)).toBe('Assistant');
      expect(events.all.at(-1)).toMatchObject({ event: 'client_document.refused', clientId: id });
    },
  );

  test('are not stored where the document is not taken, and it is not asked for again at once', async () => {
    const documents = create();
    answer = async () => 'null';
    await expect(documents.bring(id, ADDRESS)).rejects.toThrow('is not a JSON object');
    await expect(documents.bring(id, ADDRESS)).rejects.toThrow('is not a JSON object');
    expect(asked).toEqual([id]);
    expect(await nameOf(id)).toBeUndefined();
    answer = async () =>
      JSON.stringify({ client_id: id, client_name: 'Aurelia', redirect_uris: ['http://localhost/'] });
    await expect(create().bring(id, ADDRESS)).rejects.toThrow(
      'is not taken: client_name looks like the name of another app, which people trust',
    );
  });

  test('are registered anew where the sweep deleted one while its document was fetched', async () => {
    await create().bring(id, ADDRESS);
    const document = await answer(id);
    answer = async () => {
      await connection.db.deleteFrom('client').where('id', '=', id).execute();
      return document;
    };
    pass(2 * DAY_MS);
    await create().bring(id, ADDRESS);
    expect(await nameOf(id)).toBe('Assistant');
  });

  test('are none of the hosts that the operator did not name', async () => {
    const documents = create(['other.example']);
    expect(documents.takes(id)).toBe(false);
    await documents.bring(id, ADDRESS);
    expect(asked).toEqual([]);
  });

  test('never replace a client that somebody registered under such an id', async () => {
    const { db } = connection;
    await sql`insert into client (id, metadata) values (${id}, '{"client_name": "Registered"}')`.execute(db);
    await create().bring(id, ADDRESS);
    expect([asked, await nameOf(id)]).toEqual([[], 'Registered']);
  });

  test('are bounded for each network and each host; a calm network is never refused', async () => {
    const limits = createDocumentLimits({ db: connection.db, events });
    const ask = (count: number, address: string) =>
      Promise.all(
        Array.from({ length: count }, () =>
          limits('flooded.example', address).then(
            () => 'taken',
            (error: { code?: string }) => error.code,
          ),
        ),
      );
    const ofOne = await ask(40, '198.51.100.1');
    expect(ofOne.filter((outcome) => outcome === 'taken')).toHaveLength(35);
    expect(new Set(ofOne)).toEqual(new Set(['taken', 'rate_limited']));
    for (const network of [2, 3, 4]) await ask(40, `198.51.${network}.1`);
    const late = await ask(10, '198.51.200.1');
    expect(late.filter((outcome) => outcome === 'taken')).toHaveLength(5);
    expect(events.all.at(-1)).toMatchObject({ event: 'rate_limit.exceeded', limit: 'document.busy-at-host' });
  });

  test('that a caller beyond its own limits asks for use up nothing that others share', async () => {
    const limits = createDocumentLimits({ db: connection.db, events });
    const ask = (count: number, address: string) =>
      Promise.allSettled(Array.from({ length: count }, () => limits('shared.example', address)));
    const counted = async (...keys: string[]) => {
      const { rows } = await sql<{ hits: number }>`
        select hits from rate_limit where key = any(${keys.map((key) => `document.${key}`)}) order by key`.execute(
        connection.db,
      );
      return rows.map(({ hits }) => hits);
    };
    await sql`delete from rate_limit`.execute(connection.db);
    await ask(200, '198.18.1.1');
    expect(await counted('busy', 'busy-at-host shared.example')).toEqual([30, 30]);
    expect(await counted('most', 'most-at-host shared.example')).toEqual([35, 35]);
    // The host has a hundred for all such callers. Whom it refuses use up nothing else.
    for (const network of [2, 3, 4, 5]) await ask(200, `198.18.${network}.1`);
    expect(await counted('busy')).toEqual([100]);
    expect(await counted('most', 'most-at-host shared.example')).toEqual([125, 125]);
  });

  test('are bounded for a host, however many networks ask', async () => {
    const limits = createDocumentLimits({ db: connection.db, events });
    await limits('victim.example', '203.0.113.1');
    await connection.db
      .updateTable('rate_limit')
      .set({ hits: 1_000 })
      .where('key', '=', 'document.most-at-host victim.example')
      .execute();
    await expect(limits('victim.example', '192.0.2.1')).rejects.toMatchObject({ code: 'rate_limited' });
    await limits('other.example', '192.0.2.1');
  });

  test('are deleted a day after somebody asked last, unless they have an approval or are disabled', async () => {
    const { db } = connection;
    const approved = `${id}?approved`;
    const disabled = `${id}?disabled`;
    const documents = create();
    for (const client of [id, approved, disabled]) await documents.bring(client, '198.51.77.1');
    await sql`insert into client_change (client_id, actor_kind, action, changes) values (${id}, 'document', 'created', '[]')`.execute(
      db,
    );
    await sql`update client set disabled = true where id = ${disabled}`.execute(db);
    const accountId = `account-${number}`;
    await insertAccount(db, accountId);
    await sql`
      insert into authorization_grant (brand, id, account_id, client_id, scope, payload, user_agent, address, locale, expires_at)
      values ('aurora', ${`grant-${number}`}, ${accountId}, ${approved}, '', '{}', '', '', 'en', now() + interval '1 day')`.execute(
      db,
    );
    const sweepAt = (ms: number) =>
      deleteUnusedDocuments(db, sql<Date>`${new Date(Date.now() + ms)}::timestamptz`, 1_000);
    await sweepAt(23 * HOUR_MS);
    expect(await nameOf(id)).toBe('Assistant');
    await sweepAt(26 * HOUR_MS);
    expect(await Promise.all([id, approved, disabled].map(nameOf))).toEqual([
      undefined,
      'Assistant',
      'Assistant',
    ]);
    const left = await db.selectFrom('client_change').select('id').where('client_id', '=', id).execute();
    expect(left).toEqual([]);
  });
});
