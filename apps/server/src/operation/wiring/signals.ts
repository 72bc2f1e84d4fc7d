import { sealingKeys } from '../../ground/seal.ts';
import { createDeliveredSignals } from '../../link/signal-delivery/delivered-signals.ts';
import { createTokenSigner } from '../../link/signal-delivery/security-event-token.ts';
import {
  createSignalDeliveryService,
  type FindParties,
} from '../../link/signal-delivery/signal-delivery.service.ts';
import { createSignalPollService } from '../../link/signal-delivery/signal-poll.service.ts';
import { createSignalSenders } from '../../link/signal-delivery/signal-senders.ts';
import { createWaitingPolls } from '../../link/signal-delivery/waiting-polls.ts';
import { createStreamService } from '../../link/stream/stream.service.ts';
import { createStreamSubjects } from '../../link/stream/stream-subjects.ts';
import { streamSealing } from '../../link/stream/webhook-secret.ts';
import type { Foundation } from './foundation.ts';
import type { WiredProtocol } from './protocol.ts';
import type { WiredStorage } from './storage.ts';

export type WiredSignals = ReturnType<typeof wireSignals>;

/** The streams of signals to clients, and their delivery. */
export const wireSignals = (
  { config, connection: { db }, logger, events, now }: Foundation,
  { changes }: Pick<WiredStorage, 'changes'>,
  { subjects, signingKeys, outbound }: Pick<WiredProtocol, 'subjects' | 'signingKeys' | 'outbound'>,
) => {
  const { secretKeys, brands, backchannelHosts } = config;
  const keys = sealingKeys(secretKeys, streamSealing);
  const issuers = new Map<string, string>(brands.map(({ id, origin }) => [id, origin]));
  const findParties: FindParties = async ({ brand, client_id: clientId, account_id: accountId }) => {
    const issuer = issuers.get(brand);
    const known = await subjects.findOfClient({ brand, clientId });
    if (issuer === undefined || !known) return undefined;
    return { issuer, clientId, subject: accountId === null ? undefined : known.of(accountId) };
  };
  const sign = createTokenSigner(signingKeys);
  const senders = createSignalSenders({ request: outbound, sign, keys, now });
  const delivery = createSignalDeliveryService({ db, senders, findParties, events, logger });
  const polls = createWaitingPolls();
  changes.on('signal', (streamId) => {
    delivery.wake();
    polls.wake(streamId);
  });
  return {
    streams: createStreamService({
      db,
      secretKeys,
      outboundRules: { privateHosts: backchannelHosts, plainAtPrivateHosts: true },
      events,
      now,
    }),
    streamSubjects: createStreamSubjects({ db, subjects }),
    signalPolls: createSignalPollService({ db, sign, findParties, polls, events }),
    delivered: createDeliveredSignals({ db, wake: delivery.wake }),
    letPollsGo: polls.close,
    close: delivery.close,
  };
};
