import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useLocale } from '../../shell/language/use-locale.ts';
import styles from './modal-dialog.module.css';

export interface DialogProps {
  title: string;
  /** A question that must be answered (`alertdialog`): a press outside does not close it. */
  alert?: boolean;
  /** The dialog has a form: a press outside does not close it. */
  form?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The dialog itself. `Dialog` loads this module when a dialog is first opened. */
export const ModalDialog = ({ title, alert = false, form = false, onClose, children }: DialogProps) => (
  <I18nProvider locale={useLocale()}>
    <ModalOverlay
      isOpen
      isDismissable={!alert && !form}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      className={styles.overlay ?? ''}
    >
      <Modal className={styles.modal ?? ''}>
        <AriaDialog className={styles.dialog ?? ''} role={alert ? 'alertdialog' : 'dialog'}>
          <Heading slot="title" level={2} className={styles.title ?? ''}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  </I18nProvider>
);
