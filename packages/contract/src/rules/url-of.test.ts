import { expect, test } from 'vitest';
import { urlOf } from './url-of.ts';

test('a parameter is one segment, whatever it contains', () => {
  expect(urlOf('/api/sessions/:id', { id: 'x y' })).toBe('/api/sessions/x%20y');
  expect(urlOf('/interaction/:uid/details', { uid: 'a/../b' })).toBe('/interaction/a%2F..%2Fb/details');
});

test('a query leaves out what is not given', () => {
  expect(urlOf('/api/sessions', {}, { except: 'current', after: undefined })).toBe(
    '/api/sessions?except=current',
  );
  expect(urlOf('/api/sessions', {}, { after: undefined })).toBe('/api/sessions');
});
