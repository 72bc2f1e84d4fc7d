import { afterEach, expect, test } from 'vitest';
import { startBareEngine } from '../../../../testing/bare-engine.ts';
import { LAST_SUBMISSION } from './interaction-payload.ts';

let engine: Awaited<ReturnType<typeof startBareEngine>> | undefined;
afterEach(() => engine?.close());

test('the engine carries the result of a sign-in into the interaction that follows', async () => {
  engine = await startBareEngine();
  const { first, next } = await engine.signIn('ada');
  expect(first).not.toHaveProperty(LAST_SUBMISSION);
  expect(next).toMatchObject({
    prompt: { name: 'consent' },
    [LAST_SUBMISSION]: { login: { accountId: 'ada' } },
  });
});
