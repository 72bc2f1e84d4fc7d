import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { useLocale } from '../i18n/use-locale.ts';
import type { DialogProps } from './dialog.tsx';
import styles from './modal-dialog.module.css';

/** The dialog itself, loaded when one is first opened. */
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
