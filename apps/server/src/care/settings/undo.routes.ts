import { accountApi } from '@candela/contract';
import type Router from '@koa/router';
import { createRouter } from '../../ground/router.ts';
import { mount } from '../../http/mount.ts';
import { factsOf, stateOf } from '../../http/request-state.ts';
import type { UndoService } from './undo.service.ts';

export const createUndoRoutes = ({ undo }: { undo: UndoService }): Router => {
  const router = createRouter();
  mount(router, accountApi.lookAtUndo, (_, { body }) => undo.look(body.token));
  mount(router, accountApi.undo, (ctx, { body }) => undo.undo(body.token, stateOf(ctx).brand, factsOf(ctx)));
  return router;
};
