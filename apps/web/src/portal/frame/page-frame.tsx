import { FootLinks } from '../../shell/frame/page-footer.tsx';
import { KeptPages, type KeptPagesProps } from './kept-pages.tsx';
import { PageBar } from './page-bar.tsx';
import styles from './page-frame.module.css';

/** The frame of the account's pages and of the documents, which are kept: a bar and a column. */
export const PageFrame = (pages: KeptPagesProps) => (
  <>
    <PageBar />
    <main className={styles.main} id="main">
      <KeptPages {...pages} />
    </main>
    <footer className={styles.footer}>
      <FootLinks />
    </footer>
  </>
);
