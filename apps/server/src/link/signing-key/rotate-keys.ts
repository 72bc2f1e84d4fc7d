import type { EventSink } from '../../ground/event/events.ts';
import { rotateSigningKeys, type SigningKeyOptions } from './signing-key.service.ts';

export interface RotationOptions extends SigningKeyOptions {
  /** For how long keys sign; 0: until somebody rotates them. */
  olderThanDays: number;
  events: EventSink;
}

const DAY_MS = 86_400_000;

/** Rotates the signing keys where they are due; of several processes one does. */
export const rotateDueKeys = async ({
  olderThanDays,
  events,
  ...options
}: RotationOptions): Promise<void> => {
  if (olderThanDays === 0) return;
  const rotated = await rotateSigningKeys({ ...options, olderThanMs: olderThanDays * DAY_MS });
  if (rotated) events.emit('keys.rotated', { detail: 'they were due' });
};
