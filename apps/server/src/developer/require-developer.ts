import type { Developer } from '../client/actor.ts';
import { AppError } from '../errors.ts';
import type { DeveloperService } from './developer.service.ts';

/** Finds the developer that a request comes from, by the session that `requireCurrent` finds. */
export const createDeveloperFinder =
  <Request>(
    requireCurrent: (request: Request) => Promise<{ accountId: string }>,
    developers: Pick<DeveloperService, 'isDeveloper'>,
  ) =>
  /** @throws AppError not_signed_in, not_a_developer */
  async (request: Request): Promise<Developer> => {
    const { accountId: id } = await requireCurrent(request);
    if (!(await developers.isDeveloper(id))) throw new AppError('not_a_developer');
    return { kind: 'account', id };
  };
