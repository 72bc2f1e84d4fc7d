import { createContext, useContext, useEffect, useState } from 'react';
import { Outlet } from 'react-router-dom';
import { boot } from '../boot.ts';
import { useLocale } from '../language/use-locale.ts';
import brand from './brand.module.css';
import styles from './flow-frame.module.css';
import { Lamp, Mark } from './lamp.tsx';
import { LanguageLinks } from './language-switch.tsx';
import { FootLinks } from './page-footer.tsx';
import { SkipLink } from './skip-link.tsx';

const LampContext = createContext<(level: number) => void>(() => undefined);

/** Sets the brightness of the lamp while this screen is shown: 0 is out, 1 is signed in. */
export const useLamp = (level: number): void => {
  const setLevel = useContext(LampContext);
  useEffect(() => setLevel(level), [level, setLevel]);
};

/** The two columns of the sign-in screens: the scene with its lamp, and the form. */
export const FlowFrame = () => {
  const locale = useLocale();
  const [level, setLevel] = useState(0.2);
  return (
    <div className={styles.frame} style={{ '--lamp': level } as React.CSSProperties}>
      <SkipLink />
      <header className={styles.scene}>
        <Lamp />
        <p className={`${brand.brand} ${styles.name}`}>
          <span className={styles.mark}>
            <Mark />
          </span>
          {boot.brand.name}
        </p>
        {boot.brand.tagline && <p className={styles.tagline}>{boot.brand.tagline[locale]}</p>}
      </header>
      <main className={styles.main} id="main">
        <div className={styles.column}>
          <LampContext value={setLevel}>
            <Outlet />
          </LampContext>
        </div>
      </main>
      <footer className={styles.footer}>
        <LanguageLinks />
        {/* A document opens in a new tab, so that the input stays. */}
        <FootLinks newTab />
      </footer>
    </div>
  );
};
