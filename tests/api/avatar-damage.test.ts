import { addMetadata, createPhoto, createPng } from '@candela/server/testing/pictures';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom, type Random } from '../support/random.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';

const FILES = process.env.FULL ? 1_000 : 200;
/** Fewer than an account may upload in an hour. */
const AT_A_TIME = 90;

let world: World;
let agent: UserAgent;
beforeAll(async () => {
  world = await createWorld();
  ({ agent } = await world.signUp());
});
afterAll(() => world.close());

/** Cuts a file short, repeats a part of it, or changes bytes of it. */
const damage = (file: Buffer, { below }: Random): Buffer => {
  const at = below(file.length);
  const kind = below(10);
  if (kind < 4) return file.subarray(0, at);
  if (kind < 6) return Buffer.concat([file.subarray(0, at), file.subarray(at >> 1)]);
  const changed = Buffer.from(file);
  for (let count = 1 + below(20); count > 0; count -= 1) changed[below(file.length)] = below(256);
  return changed;
};

test(`AV9: pictures cut short or damaged in ${FILES} ways never cause an internal error`, async () => {
  const random = createRandom(5);
  const sources = [
    await addMetadata(await createPhoto({ width: 90, height: 60 })),
    await createPhoto({ width: 90, height: 60, progressive: true }),
    await createPhoto({ width: 90, height: 60, format: 'png' }),
    createPng({ width: 60, height: 60, interlaced: true, color: 6, depth: 16 }),
  ];
  const statuses: number[] = [];
  for (let file = 0; file < FILES; file += 1) {
    if (file % AT_A_TIME === 0) await world.db.deleteFrom('rate_limit').execute();
    const { status } = await agent.request('PUT', '/api/account/avatar', {
      raw: damage(sources[file % sources.length] ?? Buffer.alloc(0), random),
      headers: { 'content-type': 'image/png' },
    });
    statuses.push(status);
  }
  expect(statuses.filter((status) => ![200, 415, 422].includes(status))).toEqual([]);
  expect(statuses.filter((status) => status === 422).length).toBeGreaterThan(FILES / 3);
  expect((await agent.get('/api/account')).status).toBe(200);
});
