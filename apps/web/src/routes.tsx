import {
  DISOWN_PAGE,
  DOCUMENTATION_PAGE,
  HOME_PAGE,
  LEAVING_PAGE,
  type PagePath,
  pageAt,
  pagePaths,
  pages,
  RECOVERY_PAGE,
} from '@candela/contract/pages';
import { Activity, type ComponentType, Suspense, useState } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router-dom';
import type { KeptPagesProps } from './portal/frame/kept-pages.tsx';
import { appStore, useAppState } from './shell/app-state.ts';
import { bring } from './shell/bring.ts';
import { part } from './shell/chunk/part.tsx';
import { FlowFrame } from './shell/frame/flow-frame.tsx';
import { loadTextsBeside } from './shell/language/i18n.ts';
import { setPageLoader } from './shell/navigation/open-page.ts';

/** The name of a part: a page, the frame of the account's pages, or the page for unknown paths. */
type PartName = PagePath | 'account' | 'notFound';

const MissingContacts = part(
  async () => (await bring(() => import('./portal/contact/missing-contacts.tsx'))).MissingContacts,
);

/** The loader of each part. Each part is a chunk. */
const parts: Readonly<Record<PartName, () => Promise<ComponentType>>> = {
  account: async () => (await bring(() => import('./portal/account/account-frame.tsx'))).AccountFrame,
  [HOME_PAGE]: async () =>
    (await bring(() => import('./portal/pages/personal/personal-page.tsx'))).PersonalPage,
  '/tokens': async () => (await bring(() => import('./portal/pages/tokens/tokens-page.tsx'))).TokensPage,
  '/sessions': async () =>
    (await bring(() => import('./portal/pages/sessions/sessions-page.tsx'))).SessionsPage,
  '/activity': async () =>
    (await bring(() => import('./portal/pages/activity/activity-page.tsx'))).ActivityPage,
  '/developers': async () => (await bring(() => import('./console/developers-page.tsx'))).DevelopersPage,
  '/developers/new': async () => (await bring(() => import('./console/new-client-page.tsx'))).NewClientPage,
  '/developers/try': async () =>
    (await bring(() => import('./console/trial-answer-page.tsx'))).TrialAnswerPage,
  [DOCUMENTATION_PAGE]: async () =>
    (await bring(() => import('./console/documentation-page.tsx'))).DocumentationPage,
  '/developers/docs/:page': async () =>
    (await bring(() => import('./console/documentation-page.tsx'))).DocumentationPage,
  '/developers/:id': async () => (await bring(() => import('./console/overview-page.tsx'))).OverviewPage,
  '/developers/:id/settings': async () =>
    (await bring(() => import('./console/settings-page.tsx'))).SettingsPage,
  '/developers/:id/code': async () => (await bring(() => import('./console/code-page.tsx'))).CodePage,
  '/developers/:id/team': async () => (await bring(() => import('./console/team-page.tsx'))).TeamPage,
  '/login': async () => (await bring(() => import('./flow/pages/login/login-page.tsx'))).LoginPage,
  '/register': async () =>
    (await bring(() => import('./flow/pages/register/register-page.tsx'))).RegisterPage,
  [RECOVERY_PAGE]: async () =>
    (await bring(() => import('./flow/pages/recovery/recovery-page.tsx'))).RecoveryPage,
  [LEAVING_PAGE]: async () =>
    (await bring(() => import('./flow/pages/leaving/leaving-page.tsx'))).LeavingPage,
  '/undo': async () => (await bring(() => import('./flow/pages/undo/undo-page.tsx'))).UndoPage,
  [DISOWN_PAGE]: async () => (await bring(() => import('./flow/pages/not-me/not-me-page.tsx'))).NotMePage,
  '/consent': async () => {
    const { ConsentPage } = await bring(() => import('./flow/pages/consent/consent-page.tsx'));
    return () => <ConsentPage missingContacts={MissingContacts} />;
  },
  '/device': async () => (await bring(() => import('./flow/pages/device/device-page.tsx'))).DevicePage,
  '/license': async () => (await bring(() => import('./portal/pages/legal/legal-page.tsx'))).LegalPage,
  '/privacy': async () => (await bring(() => import('./portal/pages/legal/legal-page.tsx'))).LegalPage,
  '/middle': async () => (await bring(() => import('./flow/pages/middle/middle-page.tsx'))).MiddlePage,
  '/error': async () => (await bring(() => import('./flow/pages/error/error-page.tsx'))).ErrorPage,
  notFound: async () => (await bring(() => import('./flow/pages/error/error-page.tsx'))).NotFoundPage,
};

const inFrame = (frame: (typeof pages)[PagePath]['frame']): PagePath[] =>
  pagePaths.filter((path) => pages[path].frame === frame);

const keptPaths = [...inFrame('account'), ...inFrame('document')];
appStore.setKeepAliveComponents(keptPaths);

const textsOf = (name: PartName): (typeof pages)[PagePath]['texts'] => {
  const page = pageAt(name);
  return page ? pages[page].texts : 'account';
};

const loaded = new Map<PartName, ComponentType>();

const loadPart = async (name: PartName): Promise<ComponentType> => {
  const group = textsOf(name);
  const [component] = await Promise.all([parts[name](), group !== 'flow' && loadTextsBeside(group)]);
  loaded.set(name, component);
  return component;
};

const createPart = (name: PartName): ComponentType => {
  const Late = part(() => loadPart(name));
  // A loaded part renders at once. A lazy component would render an empty frame first.
  return () => {
    const [Part] = useState<ComponentType>(() => loaded.get(name) ?? Late);
    return <Part />;
  };
};

/** The frame of the kept pages, once it is loaded. */
let LoadedFrame: ComponentType<KeptPagesProps> | undefined;

const loadFrame = async () => {
  LoadedFrame = (await bring(() => import('./portal/frame/page-frame.tsx'))).PageFrame;
  return LoadedFrame;
};

const LateFrame = part(loadFrame);

const PageFrame = (kept: KeptPagesProps) => {
  const [Frame] = useState(() => LoadedFrame ?? LateFrame);
  return <Frame {...kept} />;
};

const AccountFrame = createPart('account');
const NotFoundPage = createPart('notFound');

const routesIn = (frame: (typeof pages)[PagePath]['frame']) =>
  inFrame(frame).map((path) => {
    const Page = createPart(path);
    return <Route key={path} path={path} element={<Page />} />;
  });

/** Loads the missing parts of the page at a path; undefined when all parts are loaded. */
const bringPage = (path: string): Promise<unknown> | undefined => {
  const name = pageAt(path) ?? 'notFound';
  const names: PartName[] = inFrame('account').some((each) => each === name) ? ['account', name] : [name];
  const missing: Promise<unknown>[] = names.filter((each) => !loaded.has(each)).map(loadPart);
  if (!LoadedFrame && keptPaths.some((each) => each === name)) missing.push(loadFrame());
  return missing.length > 0 ? Promise.all(missing) : undefined;
};
setPageLoader(bringPage);

/** Loads a page’s chunks before the first render. */
export const preloadPage = async (path: string): Promise<void> => {
  // The render of the page reports a chunk that did not load.
  await bringPage(path)?.catch(() => undefined);
};

/** The routes of the keep-alive pages. */
const keptRoutes = (
  <>
    <Route element={<AccountFrame />}>{routesIn('account')}</Route>
    {routesIn('document')}
  </>
);

/** The routes of the pages that start anew at each visit. */
const flowRoutes = routesIn('flow');

const FlowRoutes = () => (
  <Routes>
    <Route path="/" element={<Navigate to={HOME_PAGE} replace />} />
    <Route element={<FlowFrame />}>
      {flowRoutes}
      <Route path="*" element={<NotFoundPage />} />
    </Route>
  </Routes>
);

/** Every page of the portal. */
export const AppRoutes = () => {
  const location = useLocation();
  const page = pageAt(location.pathname);
  const component = keptPaths.find((path) => path === page);
  const hasKept = useAppState(({ includeComs }) => includeComs.length > 0);
  return (
    <>
      {!component && <FlowRoutes />}
      {(component || hasKept) && (
        <Activity mode={component ? 'visible' : 'hidden'}>
          <Suspense>
            <PageFrame current={component && { location, component }}>{keptRoutes}</PageFrame>
          </Suspense>
        </Activity>
      )}
    </>
  );
};
