import type { Context } from 'koa';
import type Provider from 'oidc-provider';
import { errors } from 'oidc-provider';
import { AppError } from '../errors.ts';
import type { Interaction } from '../oidc/engine-types.ts';

/**
 * The interaction of the path, if this browser may answer it: it holds its cookie, and is signed in as it was.
 * @throws AppError interaction_expired
 */
export const loadInteraction = async (provider: Provider, ctx: Context, uid: string): Promise<Interaction> => {
  try {
    const interaction = await provider.interactionDetails(ctx.req, ctx.res);
    if (interaction.uid === uid && interaction.exp * 1000 > Date.now()) return interaction;
  } catch (cause) {
    if (!(cause instanceof errors.SessionNotFound)) throw cause;
    throw new AppError('interaction_expired', { cause });
  }
  throw new AppError('interaction_expired');
};
