import type { Locale } from '@candela/contract';
import { Activity, type ComponentType, useState } from 'react';
import { matchPath, Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { appStore, useAppState } from './app-state.ts';
import { bring } from './bring.ts';
import { part } from './chunk/part.tsx';
import { FlowFrame } from './frame/flow-frame.tsx';
import { PageFrame } from './frame/page-frame.tsx';
import { loadMoreTexts } from './i18n/i18n.ts';
import { KeptPages } from './kept-pages/kept-pages.tsx';
import { setPageLoader } from './navigation/open-page.ts';

/** The pages, each a chunk of its own. */
const pages = {
  account: async () => (await bring(() => import('./account/account-frame.tsx'))).AccountFrame,
  '/index': async () => (await bring(() => import('./pages/personal/personal-page.tsx'))).PersonalPage,
  '/tokens': async () => (await bring(() => import('./pages/tokens/tokens-page.tsx'))).TokensPage,
  '/sessions': async () => (await bring(() => import('./pages/sessions/sessions-page.tsx'))).SessionsPage,
  '/login': async () => (await bring(() => import('./pages/login/login-page.tsx'))).LoginPage,
  '/register': async () => (await bring(() => import('./pages/register/register-page.tsx'))).RegisterPage,
  '/findbackPWD': async () => (await bring(() => import('./pages/recovery/recovery-page.tsx'))).RecoveryPage,
  '/undo': async () => (await bring(() => import('./pages/undo/undo-page.tsx'))).UndoPage,
  '/consent': async () => (await bring(() => import('./pages/consent/consent-page.tsx'))).ConsentPage,
  '/device': async () => (await bring(() => import('./pages/device/device-page.tsx'))).DevicePage,
  '/license': async () => (await bring(() => import('./pages/legal/legal-page.tsx'))).LegalPage,
  '/privacy': async () => (await bring(() => import('./pages/legal/legal-page.tsx'))).LegalPage,
  '/middle': async () => (await bring(() => import('./pages/middle/middle-page.tsx'))).MiddlePage,
  '/error': async () => (await bring(() => import('./pages/error/error-page.tsx'))).ErrorPage,
  notFound: async () => (await bring(() => import('./pages/error/error-page.tsx'))).NotFoundPage,
} satisfies Record<string, () => Promise<ComponentType>>;

type PageName = keyof typeof pages;

/** Those that stay as they were left. Never one with a password or a code in it, or a step of a flow. */
const keptAlive: readonly PageName[] = ['/index', '/tokens', '/sessions', '/license', '/privacy'];
appStore.setKeepAliveComponents(keptAlive);

/** Those inside the frame of an account. */
const accountPages: readonly PageName[] = ['/index', '/tokens', '/sessions'];

const signInPages: readonly PageName[] = ['/login', '/register', '/consent'];

const loaded = new Map<PageName, ComponentType>();

const loadPage = async (name: PageName): Promise<ComponentType> => {
  const [component] = await Promise.all([
    pages[name](),
    signInPages.includes(name) ? undefined : loadMoreTexts(),
  ]);
  loaded.set(name, component);
  return component;
};

const page = (name: PageName): ComponentType => {
  const Late = part(() => loadPage(name));
  // What is there already is drawn at once, without the empty frame that a late page begins with.
  return () => {
    const [Page] = useState<ComponentType>(() => loaded.get(name) ?? Late);
    return <Page />;
  };
};

const AccountFrame = page('account');
const PersonalPage = page('/index');
const TokensPage = page('/tokens');
const SessionsPage = page('/sessions');
const LoginPage = page('/login');
const RegisterPage = page('/register');
const RecoveryPage = page('/findbackPWD');
const UndoPage = page('/undo');
const ConsentPage = page('/consent');
const DevicePage = page('/device');
const LicensePage = page('/license');
const PrivacyPage = page('/privacy');
const MiddlePage = page('/middle');
const ErrorPage = page('/error');
const NotFoundPage = page('notFound');

const isPage = (path: string): path is PageName => Object.hasOwn(pages, path);

/** Loads what the page of a path lacks; undefined where all of it is there. */
const bringPage = (path: string): Promise<unknown> | undefined => {
  const name = isPage(path) ? path : 'notFound';
  const names: PageName[] = accountPages.includes(name) ? ['account', name] : [name];
  const missing = names.filter((one) => !loaded.has(one));
  return missing.length > 0 ? Promise.all(missing.map(loadPage)) : undefined;
};
setPageLoader(bringPage);

/** Starts loading a page’s chunk before anything is drawn. */
export const preloadPage = async (path: string): Promise<void> => {
  // A chunk that cannot be loaded is told when the page is drawn.
  await bringPage(path)?.catch(() => undefined);
};

/** The pages that are read, in one frame; they are kept. */
const readPages = (
  <>
    <Route element={<AccountFrame />}>
      <Route path="/index" element={<PersonalPage />} />
      <Route path="/tokens" element={<TokensPage />} />
      <Route path="/sessions" element={<SessionsPage />} />
    </Route>
    <Route path="/license" element={<LicensePage />} />
    <Route path="/privacy" element={<PrivacyPage />} />
  </>
);

/** A language picked in the bar is also that of the account that is signed in. */
const keepLocale = async (locale: Locale): Promise<void> => {
  if (!appStore.getState().userInfo) return;
  const { saveLocale } = await bring(() => import('./account/save-locale.ts'));
  await saveLocale(locale);
};

/** All others, which begin anew each time. */
const FlowRoutes = () => (
  <Routes>
    <Route path="/" element={<Navigate to="/index" replace />} />
    <Route element={<FlowFrame />}>
      <Route path="/login" element={<LoginPage />} />
      <Route path="/register" element={<RegisterPage />} />
      <Route path="/findbackPWD" element={<RecoveryPage />} />
      <Route path="/undo" element={<UndoPage />} />
      <Route path="/consent" element={<ConsentPage />} />
      <Route path="/device" element={<DevicePage />} />
      <Route path="/middle" element={<MiddlePage />} />
      <Route path="/error" element={<ErrorPage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Route>
  </Routes>
);

/** Every page of the portal. */
export const AppRoutes = () => {
  const location = useLocation();
  const component = keptAlive.find((path) => matchPath(path, location.pathname));
  const hasKept = useAppState(({ includeComs }) => includeComs.length > 0);
  return (
    <>
      {!component && <FlowRoutes />}
      {(component || hasKept) && (
        <Activity mode={component ? 'visible' : 'hidden'}>
          <PageFrame onLocale={(locale) => void keepLocale(locale).catch(() => undefined)}>
            <KeptPages current={component && { location, component }}>{readPages}</KeptPages>
          </PageFrame>
        </Activity>
      )}
    </>
  );
};
