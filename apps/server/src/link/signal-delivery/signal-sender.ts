import type { OutboundRequest } from '../../ground/outbound/outbound-request.ts';
import type { TokenParties, TokenSigner } from './security-event-token.ts';
import type { LeasedSignal } from './signal.repository.ts';

/**
 * What a receiver made of a signal:
 * - `told`: it took it.
 * - `refused`: it refuses it for good, and says why.
 * - `not_taken`: it may take it later.
 */
export interface Verdict {
  outcome: 'told' | 'refused' | 'not_taken';
  status: number;
  detail?: string;
}

export interface SignalSenderOptions {
  request: OutboundRequest;
  sign: TokenSigner;
  /** What the headers and secrets of streams are sealed under. */
  keys: readonly [Buffer, ...Buffer[]];
  now(): Date;
}

/**
 * Sends a signal to the endpoint of its stream.
 * @throws Error where nothing was answered; also when `signal` aborts.
 */
export type SignalSender = (
  item: LeasedSignal,
  parties: TokenParties,
  signal: AbortSignal,
) => Promise<Verdict>;
