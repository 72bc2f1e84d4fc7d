import type { Setting } from '../setting.ts';
import { AddPasskeyDialog } from './add-passkey-dialog.tsx';
import { NewCodesDialog } from './new-codes-dialog.tsx';
import { RemovePasskeyDialog } from './remove-passkey-dialog.tsx';
import { RenamePasskeyDialog } from './rename-passkey-dialog.tsx';
import { TurnOffDialog } from './turn-off-dialog.tsx';
import { TurnOnDialog } from './turn-on-dialog.tsx';
import type { WayDialogKind } from './way-dialog-kind.ts';

interface WayDialogProps {
  dialog: WayDialogKind;
  onSetting: (setting: Setting) => void;
  onClose: () => void;
}

/** The dialog of one way to sign in. */
export const WayDialog = ({ dialog, onSetting, onClose }: WayDialogProps) => {
  switch (dialog.kind) {
    case 'add-passkey':
      return <AddPasskeyDialog onClose={onClose} />;
    case 'rename':
      return <RenamePasskeyDialog passkey={dialog.passkey} onClose={onClose} />;
    case 'remove':
      return (
        <RemovePasskeyDialog
          passkey={dialog.passkey}
          onBind={() => {
            onClose();
            onSetting('email');
          }}
          onClose={onClose}
        />
      );
    case 'turn-on':
      return <TurnOnDialog onClose={onClose} />;
    case 'turn-off':
      return <TurnOffDialog onClose={onClose} />;
    case 'new-codes':
      return <NewCodesDialog onClose={onClose} />;
  }
};
