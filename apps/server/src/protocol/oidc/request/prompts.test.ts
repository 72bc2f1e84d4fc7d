import { expect, test } from 'vitest';
import type { ClientService } from '../../../clients/client/client.service.ts';
import { createPromptPolicy } from './prompts.ts';

test('prompts are resolved in this order: sign-in, choice of account, consent', () => {
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
