import { databaseNow } from '../../ground/db/clock.ts';
import { createStreamService, type StreamService } from '../../link/stream/stream.service.ts';
import { deliveredEvents, type Stream } from '../../link/stream/stream.ts';
import type { CommandPlace } from './command.ts';

/** The streams. The schema is brought up to date before writes, and has to be before reads. */
export const openStreams = async (
  { config, connection: { db }, events, prepare }: CommandPlace,
  { writes }: { writes: boolean } = { writes: true },
): Promise<StreamService> => {
  await prepare({ dryRun: !writes });
  return createStreamService({
    db,
    secretKeys: config.secretKeys,
    outboundRules: { privateHosts: config.backchannelHosts, plainAtPrivateHosts: true },
    events,
    now: databaseNow,
  });
};

/** A stream without its sealed secrets. */
export const factsOf = (stream: Stream) => ({
  id: stream.id,
  clientId: stream.client_id,
  brand: stream.brand,
  deliveryMethod: stream.delivery_method,
  ...(stream.endpoint_url !== null && { endpointUrl: stream.endpoint_url }),
  status: stream.status,
  ...(stream.status_reason !== null && { statusReason: stream.status_reason }),
  events: deliveredEvents(stream),
  ...(stream.failing_since && { failingSince: stream.failing_since.toISOString() }),
  ...(stream.verified_at && { verifiedAt: stream.verified_at.toISOString() }),
  createdAt: stream.created_at.toISOString(),
});
