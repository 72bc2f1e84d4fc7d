import type { ClientSummary } from '@candela/contract';
import type { ReactNode } from 'react';
import { Initial } from '../../shell/components/initial.tsx';
import styles from './app-line.module.css';

interface AppLineProps {
  app: Pick<ClientSummary, 'name' | 'logo'>;
  /** The sentence that says the name; absent: the name alone. */
  sentence?: ((name: ReactNode) => ReactNode) | undefined;
  /** What is known of the app, below its name. */
  children: ReactNode;
}

/** An app by its picture and its name. */
export const AppLine = ({ app, sentence = (name) => name, children }: AppLineProps) => (
  <div className={styles.line}>
    <Initial name={app.name} picture={app.logo} shape="square" />
    <div className={styles.words}>
      <p>{sentence(<b className={styles.name}>{app.name}</b>)}</p>
      <p className={styles.facts}>{children}</p>
    </div>
  </div>
);
