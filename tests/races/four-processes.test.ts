import { afterAll, describe, expect, test } from 'vitest';
import { fourProcesses, stopFourProcesses } from './four-processes.ts';
import { skipped } from './rounds.ts';
// To start four processes takes longer than many a race. Each suite has accounts and clients of its own.
import './tokens.race.ts';
import './recovery.race.ts';
import './google-linking.race.ts';
import './dynamic-registration.race.ts';
import './client-documents.race.ts';
import './account.race.ts';
import './account-back.race.ts';
import './activity.race.ts';
import './approvals.race.ts';
import './avatar.race.ts';
import './clients.race.ts';
import './desk.race.ts';
import './device.race.ts';
import './disabled-accounts.race.ts';
import './disabled-clients.race.ts';
import './endings.race.ts';
import './leaving.race.ts';
import './moving.race.ts';
import './narrowing.race.ts';
import './passkeys.race.ts';
import './replay.race.ts';
import './secret-key.race.ts';
import './second-factor.race.ts';
import './sessions.race.ts';
import './signals.race.ts';
import './no-fault.race.ts';
// Processes are killed in these, and in the last one not started again.
import './refresh-property.race.ts';
import './crash.race.ts';
import './killed-signals.race.ts';
import './backchannel-logout.race.ts';

describe.skipIf(skipped)(`all races at four processes${skipped}`, () => {
  test('no two requests deadlocked', async () => {
    const cluster = await fourProcesses();
    expect(await cluster.deadlocks()).toBe(0);
  });
});

afterAll(stopFourProcesses);
