import { expect, test } from 'vitest';
import { firstRequestOf } from './first-request.ts';

test('a page of the account asks for its list, whatever its address adds', () => {
  expect(firstRequestOf('/sessions', { query: { after: 'x' } })).toBe('/api/sessions');
});

test('a page of an interaction asks for its details, and outside an interaction for nothing', () => {
  expect(firstRequestOf('/login', { query: { interaction: 'a/../b' } })).toBe(
    '/interaction/a%2F..%2Fb/details',
  );
  expect(firstRequestOf('/consent', { query: {} })).toBeUndefined();
  expect(firstRequestOf('/consent', { query: { interaction: '' } })).toBeUndefined();
  expect(firstRequestOf('/consent', { query: { interaction: ['a', 'b'] } })).toBeUndefined();
});

test('a page of a client asks for the client in its path', () => {
  const params = { id: 'https://assistant.example/client.json' };
  expect(firstRequestOf('/developers/:id/team', { params, query: {} })).toBe(
    '/api/clients/https%3A%2F%2Fassistant.example%2Fclient.json',
  );
});

test('a document asks for nothing, and neither does an unknown page', () => {
  expect(firstRequestOf('/privacy', { query: {} })).toBeUndefined();
  expect(firstRequestOf(undefined, { query: { interaction: 'x' } })).toBeUndefined();
});
