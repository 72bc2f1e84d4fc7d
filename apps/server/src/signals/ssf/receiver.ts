import type { Context } from 'koa';
import * as z from 'zod/mini';
import { SIGNALS_MANAGE, SIGNALS_READ, signalsApiOf } from '../../clients/resource-server/signals-api.ts';
import { AppError } from '../../ground/errors.ts';
import { bearerOf } from '../../http/bearer.ts';
import { readJsonBody } from '../../http/json-body.ts';
import { stateOf } from '../../http/request-state.ts';
import type { StreamService } from '../../link/stream/stream.service.ts';
import type { Stream, StreamOwner } from '../../link/stream/stream.ts';
import { challenge, requireMachine } from '../../registration/client-registry/bearer.ts';
import type { MachineAccess } from '../../registration/client-registry/machine-access.ts';

export interface ReceiversOptions {
  streams: Pick<StreamService, 'findOfOwner'>;
  machines: MachineAccess;
  /** Counts a change. @throws AppError rate_limited */
  countChange(machine: { kind: 'machine'; id: string }): Promise<void>;
}

/** Who asks for signals: a client by a token that it got for itself. */
export interface Receivers {
  /** Who may read and poll. @throws AppError not_signed_in, scope_insufficient */
  reader(ctx: Context): Promise<StreamOwner>;
  /** Who may change; counts the change. @throws AppError not_signed_in, scope_insufficient, rate_limited */
  manager(ctx: Context): Promise<StreamOwner>;
  /** The stream of that id, if it is the receiver's. @throws AppError not_found */
  requireStream(owner: StreamOwner, id: unknown): Promise<Stream>;
}

export const createReceivers = ({ streams, machines, countChange }: ReceiversOptions): Receivers => {
  const ownerOf = async (ctx: Context, scopes: readonly string[]): Promise<StreamOwner> => {
    const { brand } = stateOf(ctx);
    const need = { api: signalsApiOf(brand), scopes };
    const token = bearerOf(ctx);
    if (token === undefined) {
      challenge(ctx, need);
      throw new AppError('not_signed_in');
    }
    const { id } = await requireMachine(ctx, token, { machines, need });
    return { brand: brand.id, clientId: id };
  };
  return {
    reader: (ctx) => ownerOf(ctx, [SIGNALS_READ, SIGNALS_MANAGE]),
    manager: async (ctx) => {
      const owner = await ownerOf(ctx, [SIGNALS_MANAGE]);
      await countChange({ kind: 'machine', id: owner.clientId });
      return owner;
    },
    requireStream: async (owner, id) => {
      const stream = await streams.findOfOwner(owner);
      if (stream?.id !== id || !stream) throw new AppError('not_found');
      return stream;
    },
  };
};

/** Reads a body of this form. @throws AppError invalid_request, unsupported_media_type, too_large */
export const readBodyOf = async <S extends z.ZodMiniType>(ctx: Context, schema: S): Promise<z.infer<S>> => {
  const { success, data } = z.safeParse(schema, await readJsonBody(ctx));
  if (!success) throw new AppError('invalid_request');
  return data;
};
