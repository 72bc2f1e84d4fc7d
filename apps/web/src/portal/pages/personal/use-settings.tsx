import type { Account } from '@candela/contract';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { prepareDialog } from '../../../flow/dialog/dialog.tsx';
import { bring } from '../../../shell/bring.ts';
import { ChunkBoundary } from '../../../shell/chunk/chunk-boundary.tsx';
import { part } from '../../../shell/chunk/part.tsx';
import { useOnHide } from '../../../shell/kept-pages/on-hide.ts';
import { focusRow, rowButton } from './focus-row.ts';
import { asksForPassword, type OpenSetting, type Setting, takeUnsaved } from './setting.ts';
import { useNickname } from './use-nickname.ts';

const SettingDialog = part(async () => (await bring(() => import('./setting-dialog.tsx'))).SettingDialog);

/** The dialogs of the rows of the account: what opens one, and the one that is open. */
export const useSettings = (account: Account) => {
  const [chosen, setChosen] = useState<OpenSetting>();
  /** The dialog of a refused nickname. It opens after the present dialog closes. */
  const [refused, setRefused] = useState<OpenSetting>();
  const open = chosen ?? refused;
  const { id } = account;
  const openSetting = (setting: Setting) => {
    prepareDialog();
    setChosen({ setting });
  };
  const saveNickname = useNickname(account, (why) => setRefused({ setting: 'nickname', ...why }));

  useOnHide(() => {
    setChosen(undefined);
    setRefused(undefined);
  });
  // After the sign-in, restore the input from before the session ended.
  useEffect(() => {
    const kept = takeUnsaved(id);
    if (kept) setChosen(kept);
  }, [id]);
  // Another page may link here to change the password. Back to that entry does not open the dialog again.
  const { key, state } = useLocation();
  const answered = useRef<string>(undefined);
  useEffect(() => {
    if (answered.current === key || !asksForPassword(state)) return;
    answered.current = key;
    rowButton('password')?.focus();
    prepareDialog();
    setChosen({ setting: 'password' });
  }, [key, state]);

  // A late answer closes only its own dialog.
  const close = (mine: OpenSetting) => {
    setChosen((now) => (now === mine ? undefined : now));
    setRefused((now) => (now === mine ? undefined : now));
  };
  const dialog = open && (
    <ChunkBoundary overlay>
      <SettingDialog
        key={open.setting}
        account={account}
        open={open}
        onOpen={openSetting}
        onNickname={(nickname) => void saveNickname(nickname)}
        onClose={(gone) => {
          close(open);
          if (gone) focusRow(gone);
        }}
      />
    </ChunkBoundary>
  );
  return { openSetting, dialog };
};
