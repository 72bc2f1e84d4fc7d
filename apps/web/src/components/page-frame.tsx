import { type ReactNode, Suspense } from 'react';
import { Outlet } from 'react-router-dom';
import { PageBar } from './page-bar.tsx';
import styles from './page-frame.module.css';

interface PageFrameProps {
  account?: { name: string; picture?: string | undefined } | undefined;
  /** What belongs to every page of the frame beside the page itself. */
  children?: ReactNode;
}

/** A bar and one column, for the pages that are read. */
export const PageFrame = ({ account, children }: PageFrameProps) => (
  <>
    <PageBar account={account} />
    <main className={styles.main} id="main">
      <Suspense>
        <Outlet />
      </Suspense>
    </main>
    {children}
  </>
);
