import type { ClientError } from '@candela/contract';

/** A refused request, as a developer of its client sees it. */
export interface RefusedRequest extends Omit<ClientError, 'at'> {
  clientId: string;
  at: Date;
}
