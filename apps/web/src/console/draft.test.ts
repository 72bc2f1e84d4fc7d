import { expect, test } from 'vitest';
import { type Draft, formFieldOf } from './draft.ts';

const draft: Draft = {
  preset: 'web',
  name: '',
  uris: ['', 'https://a', ' ', 'https://b'],
  vendorId: '',
  projectId: '',
  serviceId: '',
};

test.each([
  ['client_name', 'client_name'],
  ['redirect_uris', 'redirect_uris.0'],
  ['redirect_uris.0', 'redirect_uris.1'],
  ['redirect_uris.1', 'redirect_uris.3'],
  ['redirect_uris.2', 'redirect_uris.0'],
])('the fault of %s stands at %s', (field, place) => {
  expect(formFieldOf(draft, field)).toBe(place);
});
