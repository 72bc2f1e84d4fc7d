import type { Account } from '@candela/contract';
import { signInAgain } from '../../../shell/api/client.ts';
import { ContactDialog } from '../../contact/contact-dialog.tsx';
import { AvatarDialog } from './avatar-dialog.tsx';
import { LanguageDialog } from './language-dialog.tsx';
import { NicknameDialog } from './nickname-dialog.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { keepUnsaved, type OpenSetting, type Setting } from './setting.ts';
import { UnbindDialog } from './unbind-dialog.tsx';

interface SettingDialogProps {
  account: Account;
  open: OpenSetting;
  onOpen: (setting: Setting) => void;
  onNickname: (nickname: string) => void;
  /** Called when the dialog closes. `gone` is the row that has lost the button which opened the dialog. */
  onClose: (gone?: Setting) => void;
}

/** The dialog of one setting. */
export const SettingDialog = ({ account, open, onOpen, onNickname, onClose }: SettingDialogProps) => {
  const close = () => onClose();
  const { setting } = open;
  if (setting === 'avatar') return <AvatarDialog account={account} onClose={close} />;
  if (setting === 'password') return <PasswordDialog account={account} onClose={close} />;
  if (setting === 'language') return <LanguageDialog account={account} onClose={close} />;
  if (setting === 'nickname') {
    return (
      <NicknameDialog
        nickname={open.nickname ?? account.nickname}
        problem={open.problem}
        onSave={(nickname) => {
          onClose();
          if (nickname !== account.nickname) onNickname(nickname);
        }}
        onClose={close}
      />
    );
  }
  if (setting === 'phone' || setting === 'email') {
    return (
      <ContactDialog
        account={account}
        kind={setting}
        draft={open.draft}
        onSignedOut={(draft) => {
          keepUnsaved({ accountId: account.id, setting, draft });
          signInAgain({ kept: true });
        }}
        onClose={close}
      />
    );
  }
  const kind = setting === 'unbind-phone' ? 'phone' : 'email';
  return (
    <UnbindDialog
      account={account}
      kind={kind}
      onUnbound={() => onClose(kind)}
      onBindOther={() => onOpen(kind === 'phone' ? 'email' : 'phone')}
      onClose={close}
    />
  );
};
