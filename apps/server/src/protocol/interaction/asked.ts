import type { Context } from 'koa';
import { optionalScopesOf } from '../../branding/scope/optional-scopes.ts';
import { readWords } from '../../branding/scope/space-separated.ts';
import { scopeReasonsOf } from '../../clients/client/scope-reasons.ts';
import { findAskedResources } from '../../clients/resource-server/asked-resources.ts';
import type { ResourceServerService } from '../../clients/resource-server/resource-server.service.ts';
import { stateOf } from '../../http/request-state.ts';
import type { Answers } from './answers.ts';
import { scopesAsked } from './details.ts';
import type { OpenInteraction } from './open-interaction.ts';

export interface AskedOptions {
  answers: Pick<Answers, 'recall'>;
  resourceServers: ResourceServerService;
}

/** What a request asks a person to approve: the scopes as they are shown, and the APIs that it names. */
export const createAsked =
  ({ answers, resourceServers }: AskedOptions) =>
  async (ctx: Context, opened: OpenInteraction) => {
    const { client } = opened;
    const { metadata } = client;
    const { grant_types } = metadata;
    const { params } = opened.interaction;
    const resources = await findAskedResources(resourceServers, {
      brand: stateOf(ctx).brand.id,
      identifiers: params.resource,
      names: readWords(params.scope),
      client,
    });
    const scopes = scopesAsked({
      params,
      resources,
      approved: (await answers.recall(ctx, opened)).approved,
      optional: optionalScopesOf(metadata),
      reasons: scopeReasonsOf(metadata),
      staysConnected: Array.isArray(grant_types) && grant_types.includes('refresh_token'),
    });
    return { scopes, resources };
  };
