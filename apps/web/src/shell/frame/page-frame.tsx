import { type ReactNode, Suspense } from 'react';
import { PageBar, type PageBarProps } from './page-bar.tsx';
import { FootLinks } from './page-footer.tsx';
import styles from './page-frame.module.css';

/** The frame of the documents: a bar and a column. */
export const PageFrame = ({ children, ...bar }: PageBarProps & { children: ReactNode }) => (
  <>
    <PageBar {...bar} />
    <main className={styles.main} id="main">
      <Suspense>{children}</Suspense>
    </main>
    <footer className={styles.footer}>
      <FootLinks />
    </footer>
  </>
);
