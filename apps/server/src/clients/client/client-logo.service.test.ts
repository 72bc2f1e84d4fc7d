import { beforeAll, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { createPhoto } from '../../../testing/pictures.ts';
import { createRegistrations } from '../../../testing/registrations.ts';
import { createPictureEncoder } from '../../branding/picture/picture-encoder.ts';
import { createLogger } from '../../ground/logger.ts';
import { createClientLogoService } from './client-logo.service.ts';

const encoder = createPictureEncoder({ maxQueue: 50, logger: createLogger('silent') });
const IDS = Array.from({ length: 8 }, (_, index) => `client-${index}`);
const MINUTE_MS = 60_000;

describeOnDatabases('logos of clients', (connection) => {
  let photo: Buffer;
  let now = new Date('2026-11-21T12:00:00Z');
  let asked: string[] = [];
  let answer: () => Promise<Buffer> = async () => photo;

  beforeAll(async () => {
    photo = await createPhoto();
    await createClients().apply(
      IDS.map((client_id) => ({
        client_id,
        client_secret: 'a-secret-of-the-app-for-tests-only',
        logo_uri: `https://app.example/${client_id}.png`,
      })),
    );
  });

  const createClients = () => createRegistrations(connection.db);
  const createLogos = () =>
    createClientLogoService({
      db: connection.db,
      encoder,
      download: async (source) => {
        asked.push(source);
        return answer();
      },
      logger: createLogger('silent'),
      now: () => now,
    });
  const fetchIn = async (minutes: number) => {
    now = new Date(now.getTime() + minutes * MINUTE_MS);
    asked = [];
    await createLogos().fetchDue();
    return asked.length;
  };
  const logosHeld = async () => {
    const { clients } = createClients();
    const found = await Promise.all(IDS.map((id) => clients.findClient(id, 'any')));
    return found.filter((client) => client?.logo !== undefined).length;
  };

  test('are fetched by only one of the processes that find them due', async () => {
    expect(await logosHeld()).toBe(0);
    const counts = await Promise.all([1, 2, 3, 4].map(() => createLogos().fetchDue()));
    expect(counts.reduce((sum, count) => sum + count)).toBe(IDS.length);
    expect(asked.toSorted()).toEqual(IDS.map((id) => `https://app.example/${id}.png`));
    expect(await logosHeld()).toBe(IDS.length);
    expect(await fetchIn(0)).toBe(0);
  });

  test('stay while fetching fails, and are tried again after 1, 4 and 16 minutes', async () => {
    answer = () => Promise.reject(new Error('away'));
    expect(await fetchIn(24 * 60)).toBe(IDS.length);
    expect(await logosHeld()).toBe(IDS.length);
    for (const minutes of [1, 4, 16]) {
      expect(await fetchIn(minutes - 0.5)).toBe(0);
      expect(await fetchIn(0.5)).toBe(IDS.length);
    }
    answer = async () => photo;
    expect(await fetchIn(64)).toBe(IDS.length);
    expect(await fetchIn(64)).toBe(0);
  });

  test('that a process did not finish fetching are fetched by another process later', async () => {
    const ending = new AbortController();
    answer = () => {
      ending.abort();
      return Promise.reject(new Error('aborted'));
    };
    now = new Date(now.getTime() + 24 * 60 * MINUTE_MS);
    await createLogos().fetchDue(ending.signal);
    answer = async () => photo;
    expect(await fetchIn(1)).toBe(0);
    expect(await fetchIn(5)).toBe(IDS.length);
  });
});
