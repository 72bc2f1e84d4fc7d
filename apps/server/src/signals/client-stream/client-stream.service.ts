import type { ClientStream, SetStream } from '@candela/contract';
import { clientNotes } from '@candela/contract/rules/client-notes';
import type { Kysely } from 'kysely';
import type { Developer } from '../../clients/client/actor.ts';
import { insertClientChange } from '../../clients/client/client-change.repository.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { DeliveredSignals } from '../../link/signal-delivery/delivered-signals.ts';
import type { Alongside, StreamService } from '../../link/stream/stream.service.ts';
import { type Delivery, POLL, PUSH, type Stream, type StreamDraft } from '../../link/stream/stream.ts';
import type { ClientRegistry } from '../../registration/client-registry/client-registry.ts';
import { toDelivery, toSignalStream } from './described-stream.ts';

/** The brand at which a developer looks at a client: each has a stream of its own. */
interface AtBrand {
  id: string;
  origin: string;
}

export interface ClientStreamOptions {
  streams: StreamService;
  delivered: DeliveredSignals;
  registry: Pick<ClientRegistry, 'get'>;
}

/**
 * The stream of a client, for its developers. A client that is not the caller's is `not_found`; that of the brand's own
 * client is changed by an operator only.
 */
export interface ClientStreamService {
  /** @throws AppError not_found */
  get(developer: Developer, clientId: string, brand: AtBrand): Promise<ClientStream>;
  /** @throws AppError not_found, operator_required, and what is wrong with the stream */
  set(developer: Developer, clientId: string, brand: AtBrand, body: SetStream): Promise<ClientStream>;
  /** @throws AppError not_found, operator_required */
  remove(developer: Developer, clientId: string, brand: AtBrand): Promise<void>;
  /** @throws AppError not_found, operator_required */
  test(developer: Developer, clientId: string, brand: AtBrand): Promise<void>;
  /** @throws AppError not_found, operator_required */
  replay(developer: Developer, clientId: string, brand: AtBrand, jti: string): Promise<void>;
  /** @throws AppError not_found, operator_required, stream_not_webhook */
  turnOverSecret(developer: Developer, clientId: string, brand: AtBrand): Promise<string>;
}

const methods: Readonly<Record<SetStream['deliveryMethod'], Delivery['method']>> = {
  push: PUSH,
  poll: POLL,
  webhook: 'webhook',
};

const draftOf = ({ deliveryMethod, endpointUrl, events }: SetStream): StreamDraft => ({
  delivery: { method: methods[deliveryMethod], ...(endpointUrl !== undefined && { endpointUrl }) },
  events,
});

/** The row of the client's history that a change of its stream writes. */
const noteIn =
  (actor: Developer, clientId: string, note: string): Alongside =>
  (trx: Kysely<Database>) =>
    insertClientChange(trx, { clientId, actor, action: 'updated', changes: [{ field: 'signals', note }] });

export const createClientStreamService = (options: ClientStreamOptions): ClientStreamService => {
  const { streams, delivered, registry } = options;

  const describe = async (stream: Stream | undefined, { origin }: AtBrand): Promise<ClientStream> => ({
    stream: stream ? toSignalStream(stream, origin) : null,
    deliveries: stream ? (await delivered.list(stream.id)).map(toDelivery) : [],
  });

  /** @throws AppError not_found, operator_required */
  const requireChangeable = async (developer: Developer, clientId: string): Promise<void> => {
    const { first_party: isOfBrand } = await registry.get(developer, clientId);
    if (isOfBrand) throw new AppError('operator_required');
  };

  /** @throws AppError not_found, operator_required */
  const requireStream = async (developer: Developer, clientId: string, brand: AtBrand): Promise<Stream> => {
    await requireChangeable(developer, clientId);
    const stream = await streams.findOfOwner({ brand: brand.id, clientId });
    if (!stream) throw new AppError('not_found');
    return stream;
  };

  return {
    get: async (developer, clientId, brand) => {
      await registry.get(developer, clientId);
      return describe(await streams.findOfOwner({ brand: brand.id, clientId }), brand);
    },
    set: async (developer, clientId, brand, body) => {
      await requireChangeable(developer, clientId);
      const owner = { brand: brand.id, clientId };
      const draft = draftOf(body);
      const note = noteIn(developer, clientId, `${body.deliveryMethod} ${body.endpointUrl ?? ''}`.trim());
      const before = await streams.findOfOwner(owner);
      const stream = before
        ? await streams.change(before.id, draft, note)
        : await streams.create(owner, draft, note);
      return describe(stream, brand);
    },
    remove: async (developer, clientId, brand) => {
      const { id } = await requireStream(developer, clientId, brand);
      await streams.remove(id, noteIn(developer, clientId, clientNotes.removed));
    },
    test: async (developer, clientId, brand) => {
      const { id } = await requireStream(developer, clientId, brand);
      await streams.verify(id, { by: 'transmitter' });
    },
    replay: async (developer, clientId, brand, jti) => {
      const { id } = await requireStream(developer, clientId, brand);
      await delivered.replayOne(id, jti);
    },
    turnOverSecret: async (developer, clientId, brand) => {
      const { id } = await requireStream(developer, clientId, brand);
      return streams.turnOverSecret(id, noteIn(developer, clientId, clientNotes.renewed));
    },
  };
};
