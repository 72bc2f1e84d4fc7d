import { type ReactNode, Suspense } from 'react';
import { bring } from '../bring.ts';
import { ChunkBoundary } from '../chunk/chunk-boundary.tsx';
import { part } from '../chunk/part.tsx';
import { useOnHide } from '../kept-pages/on-hide.ts';

export interface DialogProps {
  title: string;
  /** A question that must be answered, rather than a window to look at. */
  alert?: boolean;
  /** Something is typed in it: a press beside it does not close it. */
  form?: boolean;
  onClose: () => void;
  children: ReactNode;
}

const load = () => bring(() => import('./modal-dialog.tsx'));
const ModalDialog = part(async () => (await load()).ModalDialog);

/** Fetches the code of dialogs ahead of the press that opens one. */
export const prepareDialog = (): void => {
  load().catch(() => undefined);
};

/** A modal dialog; it is open while it is rendered. Escape is the same as `onClose`, and so is leaving its page. */
export const Dialog = (props: DialogProps) => {
  useOnHide(props.onClose);
  return (
    <ChunkBoundary overlay>
      <Suspense>
        <ModalDialog {...props} />
      </Suspense>
    </ChunkBoundary>
  );
};
