import { expect, test } from 'vitest';
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
])('the fingerprint of an app changes with %s', (_name, changes) => {
  expect(clientFingerprint({ ...app, ...changes })).not.toBe(clientFingerprint(app));
});
