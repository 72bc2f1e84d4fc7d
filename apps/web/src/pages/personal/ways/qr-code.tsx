import { encode } from 'uqr';
import styles from './way-dialogs.module.css';

/** The light edge that a QR code needs, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** Draws a text as a QR code: each dark module is a square of one path. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      className={styles.qr}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  );
};
