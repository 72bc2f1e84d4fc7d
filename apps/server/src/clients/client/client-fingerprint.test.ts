import { hash } from 'node:crypto';
import { migrations } from '@candela/migrations';
import { expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { clientFingerprint } from './client-fingerprint.ts';

const app = {
  client_name: 'Lamp App',
  'client_name#ru': 'Лампа',
  redirect_uris: ['https://lamp.example/callback', 'https://eu.lamp.example/callback'],
};

test.each<[string, object]>([
  [
    'the order and the paths of its redirect URIs',
    { redirect_uris: ['https://eu.lamp.example/b', 'https://lamp.example/a'] },
  ],
  ['the other metadata', { scope: 'openid', client_uri: 'https://other.example/' }],
])('the fingerprint of an app stays the same with other values of %s', (_name, changes) => {
  expect(clientFingerprint({ ...app, ...changes })).toBe(clientFingerprint(app));
});

test.each<[string, object]>([
  ['its name', { client_name: 'Lamp app' }],
  ['its name in a language', { 'client_name#ru': 'Другая' }],
  ['a host', { redirect_uris: ['https://lamp.example/callback', 'https://evil.example/callback'] }],
  ['one host more', { redirect_uris: [...app.redirect_uris, 'https://evil.example/callback'] }],
  ['a port', { redirect_uris: ['https://lamp.example:8443/callback', 'https://eu.lamp.example/callback'] }],
  ['the scheme of a native app', { redirect_uris: ['com.example.lamp:/callback'] }],
  [
    'a scheme before the same host',
    { redirect_uris: ['com.evil.app://lamp.example/callback', 'https://eu.lamp.example/callback'] },
  ],
])('the fingerprint of an app changes with %s', (_name, changes) => {
  expect(clientFingerprint({ ...app, ...changes })).not.toBe(clientFingerprint(app));
});

test('what stands behind a private-use scheme is no host', () => {
  const native = (uri: string) => clientFingerprint({ ...app, redirect_uris: [uri] });
  expect(native('com.evil.app://oauth/callback')).not.toBe(native('com.good.lamp://oauth/callback'));
  expect(native('com.good.lamp://oauth/callback')).toBe(native('com.good.lamp:/callback'));
});

describeOnDatabases('an app of the brand that an operator approved', (connection) => {
  test('stays approved as what stood behind its private scheme stops being a host', async () => {
    const { db } = connection;
    const metadata = { client_name: 'Lamp App', redirect_uris: ['com.good.lamp://oauth/callback'] };
    const hashed = (targets: string[]) =>
      hash('sha256', JSON.stringify([[['client_name', 'Lamp App']], targets]), 'base64url');
    const insert = (id: string, approved_fingerprint: string | null) =>
      db
        .insertInto('client')
        .values({ id, metadata: JSON.stringify(metadata), first_party: true, approved_fingerprint })
        .execute();
    await insert('approved', hashed(['oauth']));
    await insert('changed-since', hashed(['another']));
    await insert('never', null);
    await migrations['0060-targets-of-private-schemes']?.up(db);
    const rows = await db.selectFrom('client').select(['id', 'approved_fingerprint']).orderBy('id').execute();
    expect(rows).toEqual([
      { id: 'approved', approved_fingerprint: clientFingerprint(metadata) },
      { id: 'changed-since', approved_fingerprint: hashed(['another']) },
      { id: 'never', approved_fingerprint: null },
    ]);
  });
});
