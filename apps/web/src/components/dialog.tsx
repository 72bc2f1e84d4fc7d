import { lazy, type ReactNode, Suspense } from 'react';
import { useOnHide } from '../state/on-hide.ts';
import { ChunkBoundary } from './chunk-boundary.tsx';

export interface DialogProps {
  title: string;
  /** A question that must be answered, rather than a window to look at. */
  alert?: boolean;
  /** Something is typed in it: a press beside it does not close it. */
  form?: boolean;
  onClose: () => void;
  children: ReactNode;
}

const load = () => import('./modal-dialog.tsx');
const ModalDialog = lazy(async () => ({ default: (await load()).ModalDialog }));

/** Fetches the code of dialogs ahead of the press that opens one. */
export const prepareDialog = (): void => {
  load().catch(() => undefined);
};

/** A modal dialog; it is open while it is rendered. Escape is the same as `onClose`, and so is leaving its page. */
export const Dialog = (props: DialogProps) => {
  useOnHide(props.onClose);
  return (
    <ChunkBoundary>
      <Suspense>
        <ModalDialog {...props} />
      </Suspense>
    </ChunkBoundary>
  );
};
