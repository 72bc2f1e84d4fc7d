import type { Passkey } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../dialog/dialog.tsx';
import { DialogForm } from '../../../dialog/dialog-form.tsx';
import { PasskeyNameField, usePasskeyName } from './passkey-name.tsx';

/** The dialog that gives a passkey another name. */
export const RenamePasskeyDialog = ({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) => {
  const { t } = useTranslation('account');
  const entry = usePasskeyName(passkey, onClose);
  return (
    <Dialog title={t('ways.passkeys.renameTitle')} form onClose={onClose}>
      <DialogForm
        action={t('settings.save')}
        busy={entry.busy}
        problem={entry.errors.form}
        onSubmit={() => void entry.run()}
        onCancel={onClose}
      >
        <PasskeyNameField entry={entry} />
      </DialogForm>
    </Dialog>
  );
};
