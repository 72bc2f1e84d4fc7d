import 'react-easy-crop/react-easy-crop.css';
import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react';
import Cropper, { type Area } from 'react-easy-crop';
import { useTranslation } from 'react-i18next';
import { Actions } from '../../../shell/components/actions.tsx';
import { Button } from '../../../shell/components/button.tsx';
import column from '../../../shell/components/column.module.css';
import styles from './avatar-dialog.module.css';
import type { Crop, Picture } from './picture.ts';
import { Progress } from './progress.tsx';
import { clampZoom, largest, smallest, ZoomControl, zoomStep } from './zoom-control.tsx';

interface AvatarCropperProps {
  picture: Picture;
  busy: boolean;
  problem: string | undefined;
  onSave: (crop: Crop) => void;
  onAnother: () => void;
  onCancel: () => void;
}

const arrowPixels = 8;

interface CropAreaProps {
  picture: Picture;
  zoom: number;
  onZoom: Dispatch<SetStateAction<number>>;
  /** Called with the chosen area, in pixels of the shown picture. */
  onArea: (area: Area) => void;
}

/** The picture under its round frame. It takes the focus once it is loaded. */
const CropArea = ({ picture, zoom, onZoom, onArea }: CropAreaProps) => {
  const { t } = useTranslation('account');
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const box = useRef<HTMLDivElement>(null);
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    if (loaded) box.current?.querySelector<HTMLElement>('[role=application]')?.focus();
  }, [loaded]);

  return (
    <div className={styles.stage} ref={box}>
      <Cropper
        image={picture.shown}
        crop={crop}
        zoom={zoom}
        minZoom={smallest}
        maxZoom={largest}
        aspect={1}
        cropShape="round"
        objectFit="cover"
        showGrid={false}
        keyboardStep={arrowPixels}
        // The library's style element has no nonce, so the Content Security Policy blocks it.
        disableAutomaticStylesInjection
        mediaProps={{ alt: t('settings.avatar.preview') }}
        classes={{ cropAreaClassName: styles.area ?? '' }}
        cropperProps={{
          role: 'application',
          'aria-label': t('settings.avatar.area'),
          'aria-describedby': 'avatar-area-hint',
          onKeyDownCapture: ({ key }) => {
            const step = { '+': zoomStep, '=': zoomStep, '-': -zoomStep, _: -zoomStep }[key];
            if (step) onZoom((current) => clampZoom(current + step));
          },
        }}
        onCropChange={setCrop}
        onZoomChange={onZoom}
        onCropAreaChange={(_, pixels) => onArea(pixels)}
        onMediaLoaded={() => setLoaded(true)}
      />
    </div>
  );
};

/** Step 2: the person moves and zooms the picture by pointer, touch or keys. */
export const AvatarCropper = (props: AvatarCropperProps) => {
  const { picture, busy, problem, onSave, onAnother, onCancel } = props;
  const { t } = useTranslation('account');
  const [zoom, setZoom] = useState(smallest);
  const area = useRef<Area>(undefined);

  return (
    <form
      className={column.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (area.current) onSave(area.current);
      }}
    >
      <CropArea
        picture={picture}
        zoom={zoom}
        onZoom={setZoom}
        onArea={(pixels) => {
          area.current = pixels;
        }}
      />
      <p className={styles.hint} id="avatar-area-hint">
        {t('settings.avatar.areaHint')}
      </p>
      <ZoomControl zoom={zoom} onZoom={setZoom} />
      <div>
        <Button look="text" onClick={onAnother}>
          {t('settings.avatar.another')}
        </Button>
      </div>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <Progress shown={busy} label={t('settings.avatar.saving')} />
      <Actions>
        <Button onClick={onCancel}>{t('app.cancel')}</Button>
        <Button look="primary" type="submit" busy={busy}>
          {t('settings.save')}
        </Button>
      </Actions>
    </form>
  );
};
