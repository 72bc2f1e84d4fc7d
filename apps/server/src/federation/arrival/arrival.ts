import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { deriveKey, open, seal } from '../../ground/seal.ts';
import type { Agreements } from '../../person/agreement/agreement.service.ts';
import type { TicketProofOptions } from '../../person/authentication/ticket-proof.ts';
import type { MessageQueue } from '../../person/delivery/message-queue.ts';
import { sealRefreshToken } from '../../person/federated-identity/refresh-token-sealing.ts';
import type { ProviderDirectory } from '../directory/provider-directory.ts';
import { providerArrivalRows } from './provider-arrival.repository.ts';
import type { ProviderArrivalRow } from './provider-arrival.table.ts';

export interface ArrivalOptions extends TicketProofOptions {
  db: Kysely<Database>;
  agreements: Pick<Agreements, 'require'>;
  messages: Pick<MessageQueue, 'add'>;
  directory: ProviderDirectory;
  secretKeys: readonly string[];
  limits: { perAddressPerHour: number };
  events: EventSink;
  now: () => Date;
}

/** The interaction in which somebody came from a provider, and the browser that it belongs to. */
export interface ArrivalPlace {
  brand: Brand;
  interaction: string;
  browserId: string;
}

/** RFC 8176 has no value for it: the person proved to be there to another server, which does not say how. */
export const BY_FEDERATION = 'fed';

export const toArrivalKey = ({ brand, interaction, browserId }: ArrivalPlace) => ({
  brand: brand.id,
  interaction_hash: hashToken(interaction),
  device_hash: hashToken(browserId),
});

const keyOf = (interaction: string) => deriveKey(interaction, 'provider arrivals');

/** A refresh token, as an arrival keeps it. */
export const keepToken = ({ interaction }: ArrivalPlace, token: string | undefined): string | null =>
  token === undefined ? null : seal(keyOf(interaction), token);

/** A refresh token, as a way in keeps it. */
export const sealKeptToken = (
  secretKeys: readonly string[],
  { interaction }: ArrivalPlace,
  { kept_token: kept }: Pick<ProviderArrivalRow, 'kept_token'>,
): string | null => (kept === null ? null : sealRefreshToken(secretKeys, open(keyOf(interaction), kept)));

/** @throws AppError provider_expired */
export const requireArrival = async (
  db: Kysely<Database>,
  place: ArrivalPlace,
  now: Date,
): Promise<ProviderArrivalRow> => {
  const row = await providerArrivalRows.find(db, toArrivalKey(place), now);
  if (!row) throw new AppError('provider_expired');
  return row;
};
