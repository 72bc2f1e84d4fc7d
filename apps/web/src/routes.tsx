import { DESK_PAGE, HOME_PAGE, type PagePath, pageAt, pagePaths, pages } from '@candela/contract/pages';
import { Activity } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { isKept, loadPageFrame, type PartName, pageParts, partOf, partsOf } from './page-parts.ts';
import { appStore, useAppState } from './shell/app-state.ts';
import { boot } from './shell/boot.ts';
import { bring } from './shell/bring.ts';
import { type Part, part } from './shell/chunk/part.tsx';
import { FlowFrame } from './shell/frame/flow-frame.tsx';
import { addPageLoader } from './shell/navigation/open-page.ts';
import { partWithTexts } from './shell/part-with-texts.ts';

const inFrame = (frame: (typeof pages)[PagePath]['frame']): PagePath[] =>
  pagePaths.filter((path) => pages[path].frame === frame);

const keptPaths = pagePaths.filter(isKept);
appStore.setKeepAliveComponents(keptPaths);

/** Who is no staff finds no desk: the server has written an error into the page. */
const hasDesk = !boot.error;
const textsOf = (name: PartName): (typeof pages)[PagePath]['texts'] => {
  const page = pageAt(name);
  return page ? pages[page].texts : 'account';
};

const parts = Object.fromEntries(
  Object.entries(pageParts).map(([name, load]) => {
    const group = textsOf(name as PartName);
    const bringIt = () => load(bring);
    return [name, group === 'flow' ? part(bringIt) : partWithTexts(group, bringIt)];
  }),
) as Readonly<Record<PartName, Part<object>>>;

/** The frame of the kept pages. */
const PageFrame = part(() => loadPageFrame(bring));

const { account: AccountFrame, notFound: NotFoundPage, desk: DeskPages } = parts;

const routesIn = (frame: (typeof pages)[PagePath]['frame']) =>
  inFrame(frame).map((path) => {
    const Page = parts[partOf(path)];
    return <Route key={path} path={path} element={<Page />} />;
  });

/** Loads the missing parts of the page at a path; undefined when all parts are loaded. */
const bringPage = (path: string): Promise<unknown> | undefined => {
  const page = pageAt(path);
  const isHidden = page && pages[page].frame === 'desk' && !hasDesk;
  const drawn: Pick<Part<never>, 'load'>[] = partsOf(isHidden ? undefined : page).map((name) => parts[name]);
  if (page && isKept(page)) drawn.push(PageFrame);
  const missing = drawn.map(({ load }) => load()).filter((loading) => loading !== undefined);
  return missing.length > 0 ? Promise.all(missing) : undefined;
};
addPageLoader(bringPage);

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
    {hasDesk && <Route path={`${DESK_PAGE}/*`} element={<DeskPages />} />}
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
          <PageFrame current={component && { location, component }}>{keptRoutes}</PageFrame>
        </Activity>
      )}
    </>
  );
};
