import { boot } from '../boot.ts';
import styles from './lamp.module.css';

/** The lamp of the scene. Its light follows `--lamp`, from 0 (out) to 1. */
export const Lamp = () => (
  <div className={styles.lamp} aria-hidden="true">
    <div className={styles.halo} />
    <div className={styles.pool} />
    <svg className={styles.pendant} viewBox="0 0 120 340" role="presentation">
      <line className={styles.cord} x1="60" y1="0" x2="60" y2="240" />
      <path className={styles.cap} d="M52 238h16l3 14a2 2 0 0 1-2 2.4H51a2 2 0 0 1-2-2.4z" />
      <circle className={styles.globe} cx="60" cy="288" r="36" />
      <circle className={styles.lit} cx="60" cy="288" r="36" />
      <circle className={styles.core} cx="60" cy="290" r="17" />
      <path className={styles.shine} d="M36 280a26 26 0 0 1 13-17" />
    </svg>
  </div>
);

/** The brand’s logo, or the lamp as its mark. The brand's name stands beside it. */
export const Mark = () =>
  boot.brand.logo ? (
    <img className={styles.logo} src={boot.brand.logo} width="28" height="28" alt="" />
  ) : (
    <LampMark />
  );

const LampMark = () => (
  <svg className={styles.mark} viewBox="0 0 24 24" aria-hidden="true">
    <circle className={styles.markGlow} cx="12" cy="12" r="11.5" />
    <circle className={styles.markBulb} cx="12" cy="12" r="8" />
    <circle className={styles.markCore} cx="12" cy="12" r="4" />
  </svg>
);
