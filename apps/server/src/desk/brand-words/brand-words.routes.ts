import { brandWordsApi } from '@candela/contract';
import type Router from '@koa/router';
import { createRouter } from '../../ground/router.ts';
import type { MountForStaff } from '../desk-session/staff-endpoint.ts';
import type { BrandWordsService } from './brand-words.service.ts';

export const createBrandWordsRoutes = ({
  brandWords,
  mountForStaff,
}: {
  brandWords: BrandWordsService;
  mountForStaff: MountForStaff;
}): Router => {
  const router = createRouter();

  mountForStaff(router, brandWordsApi.listDeskBrands, (_ctx, { member }) => brandWords.list(member));

  mountForStaff(router, brandWordsApi.getDeskBrand, (_, { member, params, query }) =>
    brandWords.show(member, params.brand, query.locale),
  );

  mountForStaff(
    router,
    brandWordsApi.changeBrandWords,
    (_, { member, params, body }) => brandWords.change(member, params.brand, body),
    { fresh: true },
  );

  mountForStaff(router, brandWordsApi.listBrandWordsHistory, (_, { member, params, query }) =>
    brandWords.history(member, params.brand, query),
  );

  mountForStaff(
    router,
    brandWordsApi.restoreBrandWords,
    (_, { member, params, body }) => brandWords.restore(member, params.brand, body),
    { fresh: true },
  );

  return router;
};
