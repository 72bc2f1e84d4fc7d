import {
  DISOWN_PAGE,
  DOCUMENTATION_PAGE,
  HOME_PAGE,
  LEAVING_PAGE,
  type PagePath,
  type PathWith,
  pages,
  RECOVERY_PAGE,
} from '@candela/contract/pages';
import type { ComponentType } from 'react';

type Bring = <Module>(load: () => Promise<Module>) => Promise<Module>;
type DeskPath = PathWith<{ frame: 'desk' }>;

/** The name of a part: a page, the frame of the account's pages, all of the desk, or the page for unknown paths. */
export type PartName = Exclude<PagePath, DeskPath> | 'account' | 'desk' | 'notFound';

export const loadPageFrame = async (bring: Bring) =>
  (await bring(() => import('./portal/frame/page-frame.tsx'))).PageFrame;

/**
 * What loads each part. Each part is a chunk. The build reads this table as well: it writes down for the server which
 * files a page needs, so that they load beside the shell.
 */
export const pageParts: Readonly<Record<PartName, (bring: Bring) => Promise<ComponentType>>> = {
  account: async (bring) => (await bring(() => import('./portal/account/account-frame.tsx'))).AccountFrame,
  [HOME_PAGE]: async (bring) =>
    (await bring(() => import('./portal/pages/personal/personal-page.tsx'))).PersonalPage,
  '/tokens': async (bring) => (await bring(() => import('./portal/pages/tokens/tokens-page.tsx'))).TokensPage,
  '/sessions': async (bring) =>
    (await bring(() => import('./portal/pages/sessions/sessions-page.tsx'))).SessionsPage,
  '/activity': async (bring) =>
    (await bring(() => import('./portal/pages/activity/activity-page.tsx'))).ActivityPage,
  '/developers': async (bring) => (await bring(() => import('./console/developers-page.tsx'))).DevelopersPage,
  '/developers/new': async (bring) =>
    (await bring(() => import('./console/new-client-page.tsx'))).NewClientPage,
  '/developers/try': async (bring) =>
    (await bring(() => import('./console/trial-answer-page.tsx'))).TrialAnswerPage,
  [DOCUMENTATION_PAGE]: async (bring) =>
    (await bring(() => import('./console/documentation-page.tsx'))).DocumentationPage,
  '/developers/docs/:page': async (bring) =>
    (await bring(() => import('./console/documentation-page.tsx'))).DocumentationPage,
  '/developers/:id': async (bring) => (await bring(() => import('./console/overview-page.tsx'))).OverviewPage,
  '/developers/:id/settings': async (bring) =>
    (await bring(() => import('./console/settings-page.tsx'))).SettingsPage,
  '/developers/:id/code': async (bring) => (await bring(() => import('./console/code-page.tsx'))).CodePage,
  '/developers/:id/team': async (bring) => (await bring(() => import('./console/team-page.tsx'))).TeamPage,
  '/login': async (bring) => (await bring(() => import('./flow/pages/login/login-page.tsx'))).LoginPage,
  '/register': async (bring) =>
    (await bring(() => import('./flow/pages/register/register-page.tsx'))).RegisterPage,
  [RECOVERY_PAGE]: async (bring) =>
    (await bring(() => import('./flow/pages/recovery/recovery-page.tsx'))).RecoveryPage,
  [LEAVING_PAGE]: async (bring) =>
    (await bring(() => import('./flow/pages/leaving/leaving-page.tsx'))).LeavingPage,
  '/undo': async (bring) => (await bring(() => import('./flow/pages/undo/undo-page.tsx'))).UndoPage,
  [DISOWN_PAGE]: async (bring) =>
    (await bring(() => import('./flow/pages/not-me/not-me-page.tsx'))).NotMePage,
  '/consent': async (bring) => (await bring(() => import('./consent-with-contacts.tsx'))).ConsentWithContacts,
  '/device': async (bring) => (await bring(() => import('./flow/pages/device/device-page.tsx'))).DevicePage,
  '/license': async (bring) => (await bring(() => import('./portal/pages/legal/legal-page.tsx'))).LegalPage,
  '/privacy': async (bring) => (await bring(() => import('./portal/pages/legal/legal-page.tsx'))).LegalPage,
  '/middle': async (bring) => (await bring(() => import('./flow/pages/middle/middle-page.tsx'))).MiddlePage,
  '/error': async (bring) => (await bring(() => import('./flow/pages/error/error-page.tsx'))).ErrorPage,
  desk: async (bring) => (await bring(() => import('./desk/loading/load-desk.ts'))).loadDesk(),
  notFound: async (bring) => (await bring(() => import('./flow/pages/error/error-page.tsx'))).NotFoundPage,
};

const isOfDesk = (path: PagePath): path is DeskPath => pages[path].frame === 'desk';

/** The part that draws a page. */
export const partOf = (path: PagePath | undefined): PartName => {
  if (!path) return 'notFound';
  return isOfDesk(path) ? 'desk' : path;
};

/** The parts that draw a page: its own, and the frame of the account's pages around these. */
export const partsOf = (path: PagePath | undefined): readonly PartName[] =>
  path && pages[path].frame === 'account' ? [partOf(path), 'account'] : [partOf(path)];

/** Whether a page is kept as it was left: the account's pages and the documents, in the frame of both. */
export const isKept = (path: PagePath): boolean => ['account', 'document'].includes(pages[path].frame);
