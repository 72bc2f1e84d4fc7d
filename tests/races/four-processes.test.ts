import { afterAll, describe, expect, test } from 'vitest';
import { fourProcesses, stopFourProcesses } from './four-processes.ts';
import { skipped } from './rounds.ts';
// To start four processes takes longer than many a race. Each suite has accounts and clients of its own.
import './account.race.ts';
import './account-back.race.ts';
import './activity.race.ts';
import './approvals.race.ts';
import './avatar.race.ts';
import './clients.race.ts';
import './device.race.ts';
import './disabled-accounts.race.ts';
import './disabled-clients.race.ts';
import './endings.race.ts';
import './leaving.race.ts';
import './moving.race.ts';
import './passkeys.race.ts';
import './replay.race.ts';
import './second-factor.race.ts';
import './sessions.race.ts';
import './signals.race.ts';

describe.skipIf(skipped)(`all races at four processes${skipped}`, () => {
  test('no request failed at the server, and no two of them deadlocked', async () => {
    const cluster = await fourProcesses();
    expect(cluster.faults()).toEqual([]);
    expect(await cluster.deadlocks()).toBe(0);
  });
});

afterAll(stopFourProcesses);
