import { bring } from '../../shell/bring.ts';
import { ChunkBoundary } from '../../shell/chunk/chunk-boundary.tsx';
import { part, prepare } from '../../shell/chunk/part.tsx';
import { useOnHide } from '../../shell/kept-pages/on-hide.ts';
import type { DialogProps } from './modal-dialog.tsx';

const ModalDialog = part(async () => (await bring(() => import('./modal-dialog.tsx'))).ModalDialog);

/** Loads the code of dialogs before a press opens the first dialog. */
export const prepareDialog = (): void => prepare(ModalDialog);

/** A modal dialog, open while it is rendered. Escape and leaving the page call `onClose`. */
export const Dialog = (props: DialogProps) => {
  useOnHide(props.onClose);
  return (
    <ChunkBoundary overlay>
      <ModalDialog {...props} />
    </ChunkBoundary>
  );
};
