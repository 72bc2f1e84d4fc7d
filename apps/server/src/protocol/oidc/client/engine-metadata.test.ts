import { expect, test } from 'vitest';
import type { Client } from '../../../clients/client/client.service.ts';
import { toEngineClient } from './engine-metadata.ts';

const client: Client = {
  id: 'lamp',
  brand: undefined,
  metadata: { client_id: 'lamp', redirect_uris: ['https://lamp.example/callback'] },
  firstParty: false,
  source: 'console',
  isVouchedFor: false,
  hasMembers: true,
  secrets: [{ hash: 'a-hash', endsAt: null }],
};
const urisOf = (more: Partial<Client>) =>
  toEngineClient({ ...client, ...more }, 'https://accounts.example').redirect_uris;

test('a client with developers may be tried out at the brand’s own page', () => {
  expect(urisOf({})).toEqual(['https://lamp.example/callback', 'https://accounts.example/developers/try']);
  expect(urisOf({ hasMembers: false })).toEqual(['https://lamp.example/callback']);
  expect(urisOf({ metadata: { client_id: 'machine', grant_types: ['client_credentials'] } })).toBeUndefined();
});

test('the engine is given no secret and no hash', () => {
  expect(JSON.stringify(toEngineClient(client, 'https://accounts.example'))).not.toContain('a-hash');
});
