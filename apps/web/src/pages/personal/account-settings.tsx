import type { Account } from '@candela/contract';
import { lazy, Suspense, useEffect, useState } from 'react';
import { ChunkBoundary } from '../../components/chunk-boundary.tsx';
import { prepareDialog } from '../../components/dialog.tsx';
import { focusSoon } from '../../components/focus-soon.ts';
import { AccountRows } from './account-rows.tsx';
import { type OpenSetting, type Setting, takeUnsaved } from './setting.ts';
import { useNickname } from './use-nickname.ts';

const loadDialog = () => import('./setting-dialog.tsx');
const SettingDialog = lazy(async () => ({ default: (await loadDialog()).SettingDialog }));

const focusRow = (setting: Setting) =>
  focusSoon(() => document.querySelector<HTMLElement>(`[data-setting=${setting}] button`));

/** The rows of the account, and the dialog that one of them has opened. */
export const AccountSettings = ({ account }: { account: Account }) => {
  const [open, setOpen] = useState<OpenSetting>();
  const { id } = account;
  const openSetting = (setting: Setting) => {
    prepareDialog();
    setOpen({ setting });
  };
  const saveNickname = useNickname(account, (refused) => setOpen({ setting: 'nickname', ...refused }));

  // A page that is hidden and comes back begins with nothing open.
  useEffect(() => () => setOpen(undefined), []);
  // What was typed when the session was found to be gone is there again after the sign-in.
  useEffect(() => {
    const kept = takeUnsaved(id);
    if (kept) setOpen(kept);
  }, [id]);

  return (
    <>
      <AccountRows account={account} onOpen={openSetting} />
      {open && (
        <ChunkBoundary>
          <Suspense>
            <SettingDialog
              key={open.setting}
              account={account}
              open={open}
              onOpen={openSetting}
              onNickname={(nickname) => void saveNickname(nickname)}
              onClose={(gone) => {
                setOpen(undefined);
                if (gone) focusRow(gone);
              }}
            />
          </Suspense>
        </ChunkBoundary>
      )}
    </>
  );
};
