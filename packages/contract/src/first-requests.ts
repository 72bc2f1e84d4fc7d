import type { EndpointName } from './endpoint-name.ts';
import {
  DESK_PAGE,
  DISOWN_PAGE,
  DOCUMENTATION_PAGE,
  HOME_PAGE,
  LEAVING_PAGE,
  type PagePath,
  RECOVERY_PAGE,
} from './pages.ts';

type FirstRequest = Extract<EndpointName, `GET ${string}`>;

/**
 * What a page asks for first, whoever opens it: the server has the page ask beside its files. `:uid` is the interaction of
 * the page; other parameters are those of its path. No browser loads this table.
 */
export const firstRequests: Readonly<Record<PagePath, FirstRequest | undefined>> = {
  [HOME_PAGE]: 'GET /api/account',
  '/tokens': 'GET /api/authorizations',
  '/sessions': 'GET /api/sessions',
  '/activity': 'GET /api/activity',
  '/developers': 'GET /api/clients',
  '/developers/new': undefined,
  '/developers/try': undefined,
  [DOCUMENTATION_PAGE]: undefined,
  '/developers/docs/:page': undefined,
  '/developers/:id': 'GET /api/clients/:id',
  '/developers/:id/settings': 'GET /api/clients/:id',
  '/developers/:id/code': 'GET /api/clients/:id',
  '/developers/:id/team': 'GET /api/clients/:id',
  [DESK_PAGE]: 'GET /api/desk',
  '/desk/accounts/:id': 'GET /api/desk',
  '/desk/approvals': 'GET /api/desk',
  '/desk/record': 'GET /api/desk',
  '/desk/service': 'GET /api/desk',
  '/desk/apps': 'GET /api/desk',
  '/desk/apps/:id': 'GET /api/desk',
  '/desk/developers': 'GET /api/desk',
  '/desk/brand-words': 'GET /api/desk',
  '/license': undefined,
  '/privacy': undefined,
  '/login': 'GET /interaction/:uid/details',
  '/register': 'GET /interaction/:uid/details',
  '/consent': 'GET /interaction/:uid/details',
  [RECOVERY_PAGE]: 'GET /interaction/:uid/details',
  [LEAVING_PAGE]: 'GET /api/account',
  '/undo': undefined,
  [DISOWN_PAGE]: undefined,
  '/device': undefined,
  '/middle': undefined,
  '/error': undefined,
};
