import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shell/language/use-locale.ts';
import styles from './zoom-control.module.css';

export const smallest = 1;
export const largest = 4;
export const zoomStep = 0.1;

export const clampZoom = (zoom: number): number => Math.min(largest, Math.max(smallest, zoom));

interface ZoomControlProps {
  zoom: number;
  onZoom: (zoom: number) => void;
}

/** The control for the zoom: a slider with a button at either end. */
export const ZoomControl = ({ zoom, onZoom }: ZoomControlProps) => {
  const { t } = useTranslation('account');
  const percent = new Intl.NumberFormat(useLocale(), { style: 'percent' }).format(zoom);
  return (
    <div className={styles.zoom}>
      <button
        type="button"
        className={styles.step}
        aria-label={t('settings.avatar.zoomOut')}
        onClick={() => onZoom(clampZoom(zoom - zoomStep))}
      >
        −
      </button>
      <input
        className={styles.slider}
        type="range"
        aria-label={t('settings.avatar.zoom')}
        aria-valuetext={percent}
        min={smallest}
        max={largest}
        step={zoomStep}
        value={zoom}
        onChange={(event) => onZoom(Number(event.target.value))}
      />
      <button
        type="button"
        className={styles.step}
        aria-label={t('settings.avatar.zoomIn')}
        onClick={() => onZoom(clampZoom(zoom + zoomStep))}
      >
        +
      </button>
    </div>
  );
};
