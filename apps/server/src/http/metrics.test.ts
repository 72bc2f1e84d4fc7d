import { expect, test } from 'vitest';
import { createRegistry, startMetrics } from './metrics.ts';

test('codes sent and codes proven are counted, so that their ratio can be watched', async () => {
  const metrics = await startMetrics({
    port: 0,
    host: '127.0.0.1',
    source: createRegistry({
      countCodes: () => [{ channel: 'sms', purpose: 'login', sent: 10, verified: 7 }],
      countEvents: () => [{ event: 'sign_in.refused', reason: 'invalid_credentials', count: 3 }],
      countDroppedLines: () => 5,
    }),
  });
  try {
    const read = async () => (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text();
    await read();
    const text = await read();
    expect(text).toContain('candela_codes_total{channel="sms",purpose="login",outcome="sent"} 10');
    expect(text).toContain('candela_codes_total{channel="sms",purpose="login",outcome="verified"} 7');
    expect(text).toContain('candela_events_total{event="sign_in.refused",reason="invalid_credentials"} 3');
    expect(text).toContain('candela_log_lines_dropped_total 5');
    expect((await fetch(`http://127.0.0.1:${metrics.port}/`)).status).toBe(404);
  } finally {
    await metrics.close();
  }
});
