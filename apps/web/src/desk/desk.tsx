import { type PagePath, type PathWith, pageAt } from '@candela/contract/pages';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect } from 'react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { accountQuery, queryClient } from '../portal/account/queries.ts';
import { StepUpGate } from '../portal/account/step-up-gate.tsx';
import { usePainted } from '../portal/account/use-painted.ts';
import { Toast } from '../portal/components/toast.tsx';
import { dropFarewell } from '../shell/api/farewell.ts';
import { appStore } from '../shell/app-state.ts';
import { bring } from '../shell/bring.ts';
import { ChunkBoundary } from '../shell/chunk/chunk-boundary.tsx';
import { type Part, part } from '../shell/chunk/part.tsx';
import { Skeleton } from '../shell/components/skeleton.tsx';
import { loadTextsBeside } from '../shell/language/i18n.ts';
import { addPageLoader } from '../shell/navigation/open-page.ts';
import { DeskFrame } from './frame/desk-frame.tsx';
import { ApprovalsPage } from './pages/approvals/approvals-page.tsx';
import { DevelopersPage } from './pages/developers/developers-page.tsx';
import { RecordPage } from './pages/record/record-page.tsx';
import { SearchPage } from './pages/search/search-page.tsx';

const waiting = () => <Skeleton heights={[90, 220]} />;

/** The page of an account says what its person reads elsewhere: it takes the texts of these pages too. */
const AccountPage = part(async () => {
  const [{ AccountPage: Page }] = await Promise.all([
    bring(() => import('./pages/account/account-page.tsx')),
    loadTextsBeside('activity'),
    loadTextsBeside('security'),
  ]);
  return Page;
}, waiting);

/** The pages of apps say what developers read of them. */
const AppsPage = part(async () => {
  const [{ AppsPage: Page }] = await Promise.all([
    bring(() => import('./pages/apps/apps-page.tsx')),
    loadTextsBeside('developers'),
  ]);
  return Page;
}, waiting);

const AppPage = part(async () => {
  const [{ AppPage: Page }] = await Promise.all([
    bring(() => import('./pages/apps/app-page.tsx')),
    loadTextsBeside('developers'),
  ]);
  return Page;
}, waiting);

const ServicePage = part(
  async () => (await bring(() => import('./pages/service/service-page.tsx'))).ServicePage,
  waiting,
);

const BrandWordsPage = part(
  async () => (await bring(() => import('./pages/brand-words/brand-words-page.tsx'))).BrandWordsPage,
  waiting,
);

type DeskPath = PathWith<{ frame: 'desk' }>;

/** The pages that load when they are opened. */
const lateParts: Readonly<Partial<Record<PagePath, Part<object>>>> = {
  '/desk/accounts/:id': AccountPage,
  '/desk/service': ServicePage,
  '/desk/apps': AppsPage,
  '/desk/apps/:id': AppPage,
  '/desk/brand-words': BrandWordsPage,
} satisfies Partial<Record<DeskPath, Part<object>>>;
addPageLoader((path) => {
  const page = pageAt(path);
  return page && lateParts[page]?.load();
});

/** The pages of the desk. */
const deskPages = {
  '/desk': SearchPage,
  '/desk/accounts/:id': AccountPage,
  '/desk/approvals': ApprovalsPage,
  '/desk/record': RecordPage,
  '/desk/service': ServicePage,
  '/desk/apps': AppsPage,
  '/desk/apps/:id': AppPage,
  '/desk/developers': DevelopersPage,
  '/desk/brand-words': BrandWordsPage,
} satisfies Record<DeskPath, ComponentType>;

const Pages = () => {
  const { pathname } = useLocation();
  // The desk's own request goes first.
  const painted = usePainted();
  const { data: account } = useQuery({ ...accountQuery, enabled: painted });
  useEffect(() => {
    if (!account) return;
    dropFarewell();
    const before = appStore.getState().userInfo;
    // Another account signed in, in another tab: the reload drops all data of the desk.
    if (before && before.id !== account.id) location.reload();
    else appStore.setUserInfo(account);
  }, [account]);
  return (
    <DeskFrame>
      <ChunkBoundary resetKey={pathname}>
        <Routes>
          {Object.entries(deskPages).map(([path, Page]) => (
            <Route key={path} path={path.replace('/desk', '') || '/'} element={<Page />} />
          ))}
        </Routes>
      </ChunkBoundary>
    </DeskFrame>
  );
};

/** The desk: its pages in its frame, for staff. */
export const Desk = () => (
  <QueryClientProvider client={queryClient}>
    <Pages />
    <StepUpGate />
    <Toast />
  </QueryClientProvider>
);
