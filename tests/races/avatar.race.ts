import { testDatabaseUrl } from '@candela/server/testing/databases';
import { createPhoto } from '@candela/server/testing/pictures';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Cluster } from '../support/cluster.ts';
import { fourProcesses } from './four-processes.ts';
import { inParallel, RACE_TIMEOUT, ROUNDS, skipped, tally } from './rounds.ts';

/** Each is decoded and written anew. */
const PICTURES = process.env.FULL ? 50 : 16;

describe.skipIf(!testDatabaseUrl)(`pictures at four processes${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await fourProcesses();
  });

  const stored = (accountId: string) =>
    cluster.db.selectFrom('avatar').select('name').where('account_id', '=', accountId).execute();

  test(
    'R13: parallel replacements leave one picture, the one that the account shows',
    async () => {
      const photos = await Promise.all(
        ['#c83200', '#00c832', '#c8c800'].map((left) => createPhoto({ width: 80, height: 60, left })),
      );
      for (let round = 0; round < ROUNDS; round += 1) {
        const { agent } = await cluster.signUp();
        const { id } = (await agent.get('/api/account')).json();
        const put = (index: number) =>
          agent.request('PUT', '/api/account/avatar', {
            raw: photos[index % photos.length] ?? '',
            headers: { 'content-type': 'image/jpeg' },
          });
        const answers = await inParallel(put, PICTURES);
        expect(tally(answers.map(({ status }) => status))).toEqual({ 200: PICTURES });
        const names = await stored(id);
        expect(names).toHaveLength(1);
        const { avatar } = (await agent.get('/api/account')).json();
        expect(avatar).toBe(`/api/avatars/${names[0]?.name}`);
        const paths = new Set(answers.map((answer) => answer.json().avatar));
        for (const path of paths) {
          const { status } = await agent.get(path);
          expect([path, status]).toEqual([path, path === avatar ? 200 : 404]);
        }

        // With a removal in between there is one picture or none, as the account shows.
        const mixed = await inParallel(
          (index) => (index % 5 === 4 ? agent.delete('/api/account/avatar') : put(index)),
          PICTURES,
        );
        expect(mixed.filter(({ status }) => ![200, 204].includes(status))).toEqual([]);
        const left = await stored(id);
        const told = (await agent.get('/api/account')).json().avatar;
        expect(left.map(({ name }) => `/api/avatars/${name}`)).toEqual(told ? [told] : []);
      }
    },
    RACE_TIMEOUT,
  );
});
