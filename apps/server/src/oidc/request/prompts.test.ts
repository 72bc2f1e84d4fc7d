import { expect, test } from 'vitest';
import type { ClientService } from '../../client/client.service.ts';
import { createPromptPolicy } from './prompts.ts';

test('a request is settled in the order of who, which account, and what is approved', () => {
  const policy = createPromptPolicy({
    brand: 'aurelia',
    clients: {} as ClientService,
    consents: { recall: async () => undefined },
  });
  expect(policy.map(({ name, requestable }) => [name, requestable])).toEqual([
    ['create', true],
    ['login', true],
    ['select_account', true],
    ['remembered_consent', false],
    ['consent', true],
  ]);
});
