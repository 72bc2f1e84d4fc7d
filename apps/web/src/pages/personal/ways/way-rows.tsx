import type { Account } from '@candela/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/client.ts';
import { bring } from '../../../bring.ts';
import { ChunkBoundary } from '../../../chunk/chunk-boundary.tsx';
import { part } from '../../../chunk/part.tsx';
import { ListFailure } from '../../../components/list-states.tsx';
import { prepareDialog } from '../../../dialog/dialog.tsx';
import { useOnHide } from '../../../kept-pages/on-hide.ts';
import type { Setting } from '../setting.ts';
import { signalPasskeys } from './browser-passkeys.ts';
import { PasskeysRow } from './passkeys-row.tsx';
import { passkeysQuery, waysQuery } from './queries.ts';
import { SecondStepRow } from './second-step-row.tsx';
import { TrustedBrowsersRow } from './trusted-browsers-row.tsx';
import type { WayDialogKind } from './way-dialog-kind.ts';

const WayDialog = part(async () => (await bring(() => import('./way-dialog.tsx'))).WayDialog);

interface WayRowsProps {
  account: Account;
  /** What stands here until the data has come. */
  waiting: ReactNode;
  onOpen: (setting: Setting) => void;
}

/** The rows of the passkeys and of the second step, and their open dialog. */
export const WayRows = ({ account, waiting, onOpen }: WayRowsProps) => {
  const { t } = useTranslation('account');
  const ways = useQuery(waysQuery);
  const passkeys = useQuery(passkeysQuery);
  const [dialog, setDialog] = useState<WayDialogKind>();
  useOnHide(() => setDialog(undefined));
  const own = passkeys.data;
  useEffect(() => {
    if (own) void signalPasskeys(own, account);
  }, [own, account]);

  const open = (next: WayDialogKind) => {
    prepareDialog();
    setDialog(next);
  };
  const failed = [ways, passkeys].find(({ data, error }) => !data && error);
  if (failed?.error instanceof ApiError) {
    return (
      <ListFailure
        title={t('ways.failedTitle')}
        error={failed.error}
        busy={ways.isFetching || passkeys.isFetching}
        onRetry={() => void Promise.all([ways.refetch(), passkeys.refetch()])}
      />
    );
  }
  if (!ways.data || !own) return waiting;
  return (
    <>
      <dl>
        <PasskeysRow passkeys={own.items} onOpen={open} />
        <SecondStepRow totp={ways.data.totp} onOpen={open} />
        {ways.data.totp && <TrustedBrowsersRow />}
      </dl>
      {dialog && (
        <ChunkBoundary overlay>
          <Suspense>
            <WayDialog dialog={dialog} onSetting={onOpen} onClose={() => setDialog(undefined)} />
          </Suspense>
        </ChunkBoundary>
      )}
    </>
  );
};
