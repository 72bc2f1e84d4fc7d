import type { RegisteredClient } from '@candela/contract';
import { expect, test } from 'vitest';
import { askedOf, draftOf, offeredScopes, patchOf } from './permissions-draft.ts';

const apiScopes = [{ name: 'lights:write', resource: 'Lights', description: { en: 'switch your lights' } }];
const client = (metadata: Partial<RegisteredClient>) =>
  ({ grant_types: ['authorization_code'], apiScopes, ...metadata }) as RegisteredClient;

test('a client without a scope may ask people for all that is offered, a machine for nothing', () => {
  const all = ['openid', 'profile', 'email', 'phone', 'offline_access', 'lights:write'];
  expect(draftOf(client({})).scopes).toEqual(all);
  const machine = client({ grant_types: ['client_credentials'] });
  expect([offeredScopes(machine), draftOf(machine).scopes]).toEqual([['lights:write'], []]);
  expect(offeredScopes(client({ scope: 'openid gone' }))).toContain('gone');
});

test('a draft becomes metadata without what belongs to no chosen scope', () => {
  const draft = { scopes: ['openid', 'email'], optional: ['openid', 'email', 'phone'], reasons: {} };
  expect(patchOf({ ...draft, reasons: { email: ' to write to you ', phone: 'to call you' } })).toEqual({
    scope: 'openid email',
    optional_scopes: 'email',
    scope_reasons: { email: 'to write to you' },
  });
  const none = { scope: null, optional_scopes: null, scope_reasons: null };
  expect(patchOf({ scopes: [], optional: [], reasons: { email: ' ' } })).toEqual(none);
});

test('a draft is asked for in the words of its APIs, with its reasons', () => {
  const draft = { scopes: ['openid', 'lights:write'], optional: ['lights:write'], reasons: {} };
  expect(askedOf({ ...draft, reasons: { 'lights:write': 'to dance' } }, apiScopes)).toEqual([
    { name: 'openid', granted: false, optional: false },
    {
      ...apiScopes[0],
      key: 'Lights#lights:write',
      granted: false,
      optional: true,
      reason: 'to dance',
    },
  ]);
});
